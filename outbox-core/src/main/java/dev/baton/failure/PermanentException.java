package dev.baton.failure;

import org.jspecify.annotations.Nullable;

/** Trying again cannot help: the job dies at once and becomes a dead letter, whatever attempts are left. */
public class PermanentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * The job dies of this.
     *
     * @param message for the operator who will look at the dead letter; without payload data
     */
    public PermanentException(String message) {
        super(message);
    }

    /**
     * The job dies of this.
     *
     * @param message for the operator who will look at the dead letter; without payload data
     */
    public PermanentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
