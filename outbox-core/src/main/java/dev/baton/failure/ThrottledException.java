package dev.baton.failure;

import java.time.Duration;

/**
 * A quota that the whole queue shares is spent: no job of the queue starts before the given time, and this one goes back
 * to its front. Uses up a start but no attempt.
 */
public class ThrottledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How long the queue waits. */
    private final Duration retryAfter;

    /**
     * The quota is spent for this long.
     *
     * @param retryAfter from now, as the other side asked
     * @param message which quota; without payload data
     */
    public ThrottledException(Duration retryAfter, String message) {
        super(message);
        this.retryAfter = retryAfter;
    }

    /** How long the queue waits, from the moment the job failed. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
