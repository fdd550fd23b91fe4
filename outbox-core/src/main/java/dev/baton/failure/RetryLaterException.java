package dev.baton.failure;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Not yet: this job waits for the given time and is started again. Uses up a start but no attempt. */
public class RetryLaterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How long this job waits. */
    private final Duration delay;

    /** What was asked for, if it was cut. */
    private final @Nullable Duration asked;

    /**
     * Too early by this much.
     *
     * @param delay from now; zero or less means at once
     * @param message why it is too early; without payload data
     */
    public RetryLaterException(Duration delay, String message) {
        this(delay, null, message);
    }

    /**
     * The same, with a record that the other side asked for longer.
     *
     * @param asked what was asked for, if it was cut; else null
     */
    public RetryLaterException(Duration delay, @Nullable Duration asked, String message) {
        super(message);
        this.delay = delay;
        this.asked = asked;
    }

    /** What the other side asked for, if that was longer than we are ready to wait and was cut. */
    public Optional<Duration> cutFrom() {
        return Optional.ofNullable(asked);
    }

    /** How long this job waits, from the moment it failed. */
    public Duration delay() {
        return delay;
    }
}
