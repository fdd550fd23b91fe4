package dev.baton.benchmarks.queue;

import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisWorker;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker at work, from its start until so many jobs are settled.
 *
 * @param workerQueue the queue as the worker reaches it
 * @param watched the same queue, reached directly
 * @param redis the server
 */
record Drain(RedisJobQueue workerQueue, RedisJobQueue watched, int concurrency, URI redis) {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    Result run(int jobs, Tally tally) throws InterruptedException {
        // Opens the connections.
        workerQueue.counts();
        long before = watched.counts().totals().completed();
        ServerInfo infoBefore = ServerInfo.of(redis);
        tally.expect(jobs);
        long began = System.nanoTime();
        RedisWorker worker = worker(tally);
        try {
            tally.await();
            long settled = awaitSettled(before + jobs) - before;
            double seconds = (System.nanoTime() - began) / 1e9;
            return new Result(settled / seconds, infoBefore, ServerInfo.of(redis));
        } finally {
            worker.close();
        }
    }

    private RedisWorker worker(Tally tally) {
        return RedisWorker.builder(workerQueue)
                .concurrency(concurrency)
                .handle(JobSource.NAME, job -> tally.started(job.id()))
                .deadLetters(new NoDeaths())
                .start();
    }

    /** The handlers have run; Redis learns of the last ones with the next exchange. */
    private long awaitSettled(long completed) {
        long began = System.nanoTime();
        while (true) {
            long now = watched.counts().totals().completed();
            if (now >= completed) {
                return now;
            }
            if (System.nanoTime() - began > PATIENCE_NANOS) {
                throw new IllegalStateException("only " + now + " of " + completed + " jobs were settled");
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /** What came out. */
    record Result(double jobsPerSecond, ServerInfo before, ServerInfo after) {}
}
