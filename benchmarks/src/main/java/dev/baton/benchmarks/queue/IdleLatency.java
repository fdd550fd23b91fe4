package dev.baton.benchmarks.queue;

import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisWorker;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** From the call that enqueues to the first line of the handler, of a worker that found nothing and waits. */
final class IdleLatency {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private IdleLatency() {}

    static double[] micros(RedisJobQueue queue, Work work) throws InterruptedException {
        List<JobSource> jobs = JobSource.create(0, work.jobs(), work.trace());
        double[] micros = new double[work.jobs()];
        BlockingQueue<Long> starts = new ArrayBlockingQueue<>(work.jobs());
        RedisWorker worker = RedisWorker.builder(queue)
                .concurrency(work.concurrency())
                .handle(JobSource.NAME, job -> starts.add(System.nanoTime()))
                .deadLetters(new NoDeaths())
                .start();
        try {
            for (int i = 0; i < micros.length; i++) {
                // The worker has settled and waits again.
                LockSupport.parkNanos(PAUSE_NANOS);
                long began = System.nanoTime();
                queue.enqueue(jobs.get(i).toJob());
                micros[i] = (next(starts) - began) / 1e3;
            }
        } finally {
            worker.close();
        }
        Counts.check(queue, 0, work.jobs());
        return micros;
    }

    private static long next(BlockingQueue<Long> starts) throws InterruptedException {
        Long start = starts.poll(30, TimeUnit.SECONDS);
        if (start == null) {
            throw new IllegalStateException("a job did not start in 30 s");
        }
        return start;
    }
}
