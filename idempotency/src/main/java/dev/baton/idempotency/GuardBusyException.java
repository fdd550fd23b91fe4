package dev.baton.idempotency;

/**
 * Another transaction held the message for longer than the guard waits. Transient: nothing was marked or applied; roll
 * back and try again later.
 */
public final class GuardBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GuardBusyException(String message, Throwable cause) {
        super(message, cause);
    }
}
