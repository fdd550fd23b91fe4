package dev.baton.idempotency;

/**
 * The effect ran, but its claim's lease had ended and another run has the key. What happened outside the database may
 * happen twice; nothing was recorded by the late run.
 */
public final class ClaimLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClaimLostException(String message) {
        super(message);
    }
}
