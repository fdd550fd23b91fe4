package dev.baton.benchmarks.queue;

import dev.baton.redis.QueueCounts;
import dev.baton.redis.QueueTotals;
import dev.baton.redis.RedisJobQueue;

/** Whether a queue holds what it must. */
final class Counts {
    private Counts() {}

    /** As the other, of a queue without delayed jobs. */
    static void check(RedisJobQueue queue, long ready, long completed) {
        check(queue, ready, 0, completed);
    }

    /**
     * Fails unless so many jobs are in each state, so many were completed, and nothing else ever happened; but a worker that
     * stops, or that the machine held up, may have handed jobs back unstarted.
     */
    static void check(RedisJobQueue queue, long ready, long delayed, long completed) {
        QueueCounts found = queue.counts();
        long released = found.totals().released();
        check(found, ready, delayed, new QueueTotals(completed, 0, 0, 0, released, 0, 0, 0, 0));
    }

    private static void check(QueueCounts found, long ready, long delayed, QueueTotals totals) {
        // How long the oldest one waits is no matter here.
        QueueCounts expected = new QueueCounts(ready, delayed, 0, 0, 0, 0, found.oldestReady(), totals);
        if (!found.equals(expected)) {
            throw new IllegalStateException("expected " + expected + ", found " + found);
        }
    }
}
