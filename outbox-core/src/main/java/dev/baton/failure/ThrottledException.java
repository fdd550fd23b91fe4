package dev.baton.failure;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A quota that the whole queue shares is spent: no job of the queue starts before the given time, and this one goes back
 * to its front. Uses up a start but no attempt.
 */
public class ThrottledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How long the queue waits. */
    private final Duration retryAfter;

    /** What was asked for, if it was cut. */
    private final @Nullable Duration asked;

    /**
     * The quota is spent for this long.
     *
     * @param retryAfter from now, as the other side asked
     * @param message which quota; without payload data
     */
    public ThrottledException(Duration retryAfter, String message) {
        this(retryAfter, null, message);
    }

    /**
     * The same, with a record that the other side asked for longer.
     *
     * @param asked what was asked for, if it was cut; else null
     */
    public ThrottledException(Duration retryAfter, @Nullable Duration asked, String message) {
        super(message);
        this.retryAfter = retryAfter;
        this.asked = asked;
    }

    /** What the other side asked for, if that was longer than we are ready to wait and was cut. */
    public Optional<Duration> cutFrom() {
        return Optional.ofNullable(asked);
    }

    /** How long the queue waits, from the moment the job failed. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
