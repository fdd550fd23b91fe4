package dev.baton.benchmarks.guard;

import dev.baton.benchmarks.Figure;
import dev.baton.deadletter.LetterFilter;
import dev.baton.failure.PermanentException;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.job.JobHandler;
import dev.baton.job.NewJob;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;

/**
 * Ten thousand jobs that die of their first attempt, from the start of their worker until PostgreSQL has all of them and Redis
 * none; beside ten thousand that succeed, until Redis has none. The worker's log lines, one per dead job, go nowhere.
 */
final class Deaths implements AutoCloseable {
    private static final int JOBS = 10_000;
    private static final Duration LOOK = Duration.ofMillis(5);

    private final Jdbi jdbi;
    private final JdbiDeadLetterStore store;
    private final RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
    private final RedisJobQueue queue = queues.queue("payments");

    Deaths(Jdbi jdbi) {
        this.jdbi = jdbi;
        this.store = new JdbiDeadLetterStore(jdbi);
    }

    Map<Figure, Double> die() throws InterruptedException {
        Map<Figure, Double> figures = perSecond(job -> {
            throw new PermanentException("the gateway said no to " + job.id());
        });
        if (store.count(LetterFilter.OPEN) != JOBS) {
            throw new IllegalStateException("not all jobs are in the store");
        }
        return figures;
    }

    Map<Figure, Double> succeed() throws InterruptedException {
        return perSecond(job -> {});
    }

    @Override
    public void close() {
        queues.close();
    }

    private Map<Figure, Double> perSecond(JobHandler handler) throws InterruptedException {
        jdbi.useHandle(handle -> handle.execute("TRUNCATE dead_letters CASCADE"));
        queue.enqueue(IntStream.range(0, JOBS)
                .mapToObj(i -> NewJob.of("work", "{\"orderId\":\"order-" + i + "\",\"total\":250000}")
                        .withId("job-" + i))
                .toList());
        long began = System.nanoTime();
        RedisWorker worker = RedisWorker.builder(queue)
                .deadLetters(store)
                .handle("work", handler)
                .start();
        try {
            while (queue.counts().pending() + queue.counts().dead() > 0) {
                new CountDownLatch(1).await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            return Map.of(Figure.JOBS, JOBS / seconds);
        } finally {
            worker.close();
        }
    }
}
