package dev.baton.examples.web;

/** Thrown by a handler of {@link JsonServer} to answer with a status that is not a success. */
public final class HttpError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The status of the answer. */
    private final int status;

    /** @param message what the caller is told */
    public HttpError(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The status of the answer. */
    public int status() {
        return status;
    }
}
