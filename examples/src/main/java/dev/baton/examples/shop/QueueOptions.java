package dev.baton.examples.shop;

import dev.baton.failure.RetryPolicy;
import dev.baton.redis.QueueSettings;
import dev.baton.redis.RedisWorkerBuilder;
import java.time.Duration;

/**
 * How the jobs of a queue are run and kept.
 *
 * @param concurrency jobs at once, per worker
 * @param retry how often a job is tried; the time in between doubles from 2 s to 15 min, half of it random
 * @param kept finished jobs that are kept at most
 * @param keptFor how long they are kept
 * @param startsPerSecond of all workers together; 0 for as many as there are
 * @param lettersKeptFor how long a dead letter is kept after it was closed; a negative time for ever
 */
record QueueOptions(
        int concurrency, RetryPolicy retry, int kept, Duration keptFor, int startsPerSecond, Duration lettersKeptFor) {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration FOR_EVER = DAY.negated();

    private static final QueueOptions USUAL =
            new QueueOptions(10, RetryPolicy.DEFAULT.withAttempts(8), 10_000, DAY, 0, DAY.multipliedBy(14));

    /** Money is worth more attempts and a longer memory; the starts end a job that the gateway throttles for ever. */
    private static final QueueOptions MONEY = new QueueOptions(
            10, RetryPolicy.DEFAULT.withAttempts(12).withMaxStarts(50), 1_000_000, DAY.multipliedBy(7), 0, FOR_EVER);

    /**
     * The options of a queue.
     *
     * @param carrierPerSecond what the carrier bears
     */
    static QueueOptions of(String queue, int carrierPerSecond) {
        return switch (queue) {
            case ShopQueues.PAYMENTS -> MONEY;
            case ShopQueues.SHIPPING -> USUAL.slowly(4, carrierPerSecond);
            default -> USUAL;
        };
    }

    /** What holds for all workers, because it is kept in Redis. */
    void applyTo(QueueSettings settings) {
        settings.keepCompleted(kept, keptFor);
        if (startsPerSecond > 0) {
            settings.limit(startsPerSecond, Duration.ofSeconds(1));
        }
    }

    /** What each worker keeps to by itself. */
    RedisWorkerBuilder applyTo(RedisWorkerBuilder worker) {
        return worker.concurrency(concurrency).retry(retry);
    }

    private QueueOptions slowly(int jobsAtOnce, int perSecond) {
        return new QueueOptions(jobsAtOnce, retry, kept, keptFor, perSecond, lettersKeptFor);
    }
}
