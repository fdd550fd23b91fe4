package dev.baton.job;

import dev.baton.failure.RetryPolicy;
import dev.baton.internal.Bounds;
import dev.baton.internal.Names;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When and in which order a new job may start, and how often it is tried.
 *
 * @param delay how long it waits before it may start, by the store's clock; zero or less starts it now
 * @param at when it may start, by the store's clock, instead of the delay; null if there is none, in the past it means now
 * @param orderingKey jobs with the same key run one at a time, in the order of enqueueing; null for none. A job that waits
 *     for its time takes its place behind the others when the time has come
 * @param priority 0 to 9, higher is sooner; one of priority p is taken as if it had been enqueued p minutes earlier, and
 *     jobs of priority 0 get every fourth place at least, so none waits for ever
 * @param uniqueId at most one live job of the queue has it, whatever its id; null for none
 * @param retry how often it is tried, instead of the worker's policy; null for that
 */
public record JobOptions(
        Duration delay,
        @Nullable Instant at,
        @Nullable String orderingKey,
        int priority,
        @Nullable String uniqueId,
        @Nullable RetryPolicy retry) {
    // Before the default, which is checked too.
    private static final Duration LONGEST_DELAY = Duration.ofDays(36_525);

    /** Now, unordered, priority 0, tried as the worker says. */
    public static final JobOptions DEFAULT = new JobOptions(Duration.ZERO, null, null, 0, null, null);

    private static final int HIGHEST_PRIORITY = 9;

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if the delay is longer than 36,525 days (a hundred years), the year of {@code at} is not
     *     between 1 and 9999, the priority is not between 0 and 9, a name is blank, too long or has control characters, or the
     *     retry policy has a backoff that is code of one's own and cannot be stored
     */
    public JobOptions {
        if (delay.compareTo(LONGEST_DELAY) > 0) {
            throw new IllegalArgumentException("delay is " + delay + "; it must be at most " + LONGEST_DELAY);
        }
        if (at != null) {
            Bounds.moment("at", at);
        }
        Bounds.between("priority", priority, 0, HIGHEST_PRIORITY);
        if (orderingKey != null) {
            Names.check("orderingKey", orderingKey);
        }
        if (uniqueId != null) {
            Names.check("uniqueId", uniqueId);
        }
        if (retry != null) {
            retry.toText();
        }
    }

    JobOptions withDelay(Duration other) {
        return new JobOptions(other, null, orderingKey, priority, uniqueId, retry);
    }

    JobOptions withAt(Instant time) {
        return new JobOptions(Duration.ZERO, time, orderingKey, priority, uniqueId, retry);
    }

    JobOptions withOrderingKey(String key) {
        return new JobOptions(delay, at, key, priority, uniqueId, retry);
    }

    JobOptions withPriority(int other) {
        return new JobOptions(delay, at, orderingKey, other, uniqueId, retry);
    }

    JobOptions withUniqueId(String unique) {
        return new JobOptions(delay, at, orderingKey, priority, unique, retry);
    }

    JobOptions withRetry(RetryPolicy policy) {
        return new JobOptions(delay, at, orderingKey, priority, uniqueId, policy);
    }
}
