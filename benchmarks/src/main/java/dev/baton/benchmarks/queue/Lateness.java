package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Figure;
import dev.baton.job.NewJob;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * From the moment for which a job was delayed to the first line of its handler, while nothing else happens in the queue.
 * Server and worker share the clock of this machine.
 */
final class Lateness {
    private static final String NAME = "delayed";
    private static final Duration LEAD = Duration.ofSeconds(1);
    private static final int JOBS_PER_SECOND = 200;

    private Lateness() {}

    /** Of so many jobs, due at random moments, 200 in a second. */
    static Map<Figure, Double> measure(RedisJobQueue queue, int jobs) throws InterruptedException {
        double[] micros = new double[jobs];
        AtomicInteger next = new AtomicInteger();
        CountDownLatch started = new CountDownLatch(jobs);
        RedisWorker worker = RedisWorker.builder(queue)
                .concurrency(10)
                .handle(NAME, job -> {
                    Duration late = Duration.between(Instant.parse(job.payload()), Instant.now());
                    micros[next.getAndIncrement()] = late.toNanos() / 1e3;
                    started.countDown();
                })
                .deadLetters(new NoDeaths())
                .start();
        try {
            queue.enqueue(delayed(jobs));
            if (!started.await(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException(started.getCount() + " jobs did not start in 5 minutes");
            }
        } finally {
            worker.close();
        }
        return Figures.latency(micros);
    }

    private static List<NewJob> delayed(int jobs) {
        Instant first = Instant.now().plus(LEAD);
        List<NewJob> delayed = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            Instant due = first.plusMillis(ThreadLocalRandom.current().nextInt(jobs * 1_000 / JOBS_PER_SECOND));
            delayed.add(NewJob.of(NAME, due.toString()).at(due));
        }
        return delayed;
    }
}
