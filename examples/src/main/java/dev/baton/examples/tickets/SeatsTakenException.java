package dev.baton.examples.tickets;

/** Somebody was faster. */
public final class SeatsTakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SeatsTakenException() {
        super("one of these seats is not free");
    }
}
