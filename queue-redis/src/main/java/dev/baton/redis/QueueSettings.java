package dev.baton.redis;

import dev.baton.internal.Bounds;
import java.time.Duration;
import java.util.List;

/**
 * What holds for all workers of a queue. Kept in Redis, so a change reaches every worker with its next exchange, and a new
 * worker finds it. Each method is one call to Redis. Thread-safe.
 */
public final class QueueSettings {
    /** The limiter remembers so many starts; more would make its script slow. */
    private static final int LARGEST_LIMIT = 10_000;

    private static final Duration LONGEST_HOLD = Duration.ofDays(365);
    private static final Duration LONGEST_AGE = Duration.ofDays(3_650);

    private final RedisQueues queues;
    private final Keys keys;

    QueueSettings(RedisQueues queues, Keys keys) {
        this.queues = queues;
        this.keys = keys;
    }

    /**
     * No job is handed out until {@link #resume}; running ones go on, and so do those that a worker has taken ahead of its free
     * slots, which is work for some 50 ms at most. New ones can be enqueued.
     */
    public void pause() {
        set("paused", "1");
    }

    /** Ends a pause. */
    public void resume() {
        set("paused", "");
    }

    /**
     * No job is handed out for so long from now, as if a handler had thrown {@code ThrottledException}; running ones go on, as with
     * {@link #pause}. A hold is never shortened by this, and ends by itself: then jobs start one by one, 25 ms apart, for a second.
     *
     * @throws IllegalArgumentException if it is under 1 ms or over 365 days
     */
    public void throttle(Duration duration) {
        String millis = millis("throttle", duration, LONGEST_HOLD);
        Script.THROTTLE.call(queues.redis(), List.of(keys.config()), List.of(queues.now(), keys.tag(), millis));
    }

    /**
     * At most so many jobs run at once, over all workers.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public void concurrency(int jobs) {
        set("concurrency", atLeastOne("concurrency", jobs));
    }

    /** Each worker runs as many jobs as it likes. */
    public void unlimitedConcurrency() {
        set("concurrency", "");
    }

    /**
     * Within any window of this duration, however it is placed, at most so many jobs start. Starts are counted by the
     * clock of Redis, in the moment in which jobs are handed out.
     *
     * @throws IllegalArgumentException if there are fewer than 1 or more than 10,000 jobs, or the duration is under 1 ms or over
     *     365 days
     */
    public void limit(int jobs, Duration per) {
        if (jobs > LARGEST_LIMIT) {
            throw new IllegalArgumentException("limit is " + jobs + "; it must be at most " + LARGEST_LIMIT
                    + ": use a shorter duration with fewer jobs");
        }
        String most = atLeastOne("limit", jobs);
        set("limit", most, "per", millis("per", per, LONGEST_HOLD));
    }

    /** Jobs start as fast as they can. */
    public void unlimited() {
        set("limit", "", "per", "");
    }

    /** A job that waits for its next attempt holds up those with its ordering key; so it is unless changed. */
    public void strictOrder() {
        set("order", "");
    }

    /** A job that waits for its next attempt lets the next one with its ordering key pass, and comes back behind them. */
    public void letOthersPass() {
        set("order", "pass");
    }

    /**
     * Finished jobs are kept until they are older than this or more than so many.
     *
     * @throws IllegalArgumentException if the number is less than 1, or the age under 1 ms or over 3,650 days
     */
    public void keepCompleted(int jobs, Duration age) {
        String most = atLeastOne("keepCompleted", jobs);
        set("keep", most, "keepMs", millis("age", age, LONGEST_AGE));
    }

    /** Finished jobs vanish at once; so it is unless changed. Those kept so far vanish with the next exchanges. */
    public void keepNone() {
        set("keep", "0", "keepMs", "");
    }

    /** Changes nothing, but one of those who sleep looks what there is to do. */
    void callAWorker() {
        set();
    }

    private void set(String... namesAndValues) {
        Script.CONFIGURE.call(queues.redis(), keys.configure(), List.of(namesAndValues));
    }

    private static String millis(String setting, Duration value, Duration most) {
        return Long.toString(
                Bounds.between(setting, value, Duration.ofMillis(1), most).toMillis());
    }

    private static String atLeastOne(String setting, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(setting + " is " + value + "; it must be at least 1");
        }
        return Long.toString(value);
    }
}
