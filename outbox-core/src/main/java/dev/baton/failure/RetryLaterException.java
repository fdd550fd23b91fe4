package dev.baton.failure;

import java.time.Duration;

/** Not yet: this job waits for the given time and is started again. Uses up a start but no attempt. */
public class RetryLaterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How long this job waits. */
    private final Duration delay;

    /**
     * Too early by this much.
     *
     * @param delay from now; zero or less means at once
     * @param message why it is too early; without payload data
     */
    public RetryLaterException(Duration delay, String message) {
        super(message);
        this.delay = delay;
    }

    /** How long this job waits, from the moment it failed. */
    public Duration delay() {
        return delay;
    }
}
