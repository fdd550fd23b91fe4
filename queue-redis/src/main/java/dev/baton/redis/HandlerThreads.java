package dev.baton.redis;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where handlers run.
 *
 * @param executor the caller's, or a pool
 * @param pool the pool, if it is ours: it ends with the worker
 */
record HandlerThreads(Executor executor, @Nullable ExecutorService pool) {

    /**
     * On the caller's executor, or on a pool of so many threads.
     *
     * @param executor null for a pool
     */
    static HandlerThreads of(String queue, int count, @Nullable Executor executor) {
        if (executor != null) {
            return new HandlerThreads(executor, null);
        }
        ExecutorService pool = Executors.newFixedThreadPool(count, daemons(queue));
        return new HandlerThreads(pool, pool);
    }

    /** Ends the pool, if it is ours. */
    void shutdown() {
        if (pool != null) {
            pool.shutdown();
        }
    }

    private static ThreadFactory daemons(String queue) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "baton-" + queue + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
