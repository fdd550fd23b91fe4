package dev.baton.benchmarks.queue;

import dev.baton.redis.QueueCounts;
import dev.baton.redis.RedisJobQueue;

/** Whether a queue holds what it must. */
final class Counts {
    private Counts() {}

    /** Fails unless so many jobs are ready, so many were completed, and nothing else ever happened. */
    static void check(RedisJobQueue queue, long ready, long completed) {
        check(new QueueCounts(ready, 0, 0, 0, completed, 0, 0, 0, 0, 0, 0, 0), queue.counts());
    }

    /** The same of a queue whose worker was stopped in the middle of its work: it may have handed jobs back unstarted. */
    static void checkStopped(RedisJobQueue queue, long ready, long delayed, long completed) {
        QueueCounts found = queue.counts();
        check(new QueueCounts(ready, delayed, 0, 0, completed, 0, 0, 0, found.released(), 0, 0, 0), found);
    }

    private static void check(QueueCounts expected, QueueCounts found) {
        if (!found.equals(expected)) {
            throw new IllegalStateException("expected " + expected + ", found " + found);
        }
    }
}
