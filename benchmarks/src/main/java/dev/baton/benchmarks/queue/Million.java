package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.Sizes;
import dev.baton.job.NewJob;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import redis.clients.jedis.Jedis;

/**
 * A queue in which a million jobs lie, on a server of its own. Each measurement enqueues as many as it completes, so it
 * stays as full as it is.
 */
final class Million implements AutoCloseable {
    private static final int CONCURRENCY = 100;
    private static final int BULK = 200;
    private static final int FLIGHTS = 4;

    private static final int LOOKUPS = 1_000;

    /** Sources in memory at once. */
    private static final int STEP = 100_000;

    private final RedisProcess redis = RedisProcess.start(SlowLog.ARGUMENTS);
    private final RedisQueues queues = RedisQueues.connect(redis.uri(), "bench");
    private final RedisJobQueue queue = queues.queue("million");
    private final int jobs;
    private final long delayed;
    private final Tally tally;
    private int next;

    private Million(Sizes sizes, boolean delayed) throws Exception {
        this.jobs = sizes.jobs();
        this.delayed = delayed ? sizes.million() : 0;
        this.tally = new Tally(sizes.million() + sizes.jobs() * (sizes.manyRounds() + 2));
        enqueue(sizes.million(), delayed ? Duration.ofDays(1) : Duration.ZERO);
        grow();
        // From here on it is full.
        System.out.println("filled: scripts " + slowestScripts());
        try (Jedis jedis = new Jedis(redis.uri())) {
            jedis.slowlogReset();
        }
    }

    static Million waiting(Sizes sizes) throws Exception {
        return new Million(sizes, false);
    }

    static Million delayed(Sizes sizes) throws Exception {
        return new Million(sizes, true);
    }

    Map<Figure, Double> measure() throws Exception {
        enqueue(jobs, Duration.ZERO);
        Drain.Result result = new Drain(queue, queue, CONCURRENCY, redis.uri()).run(jobs, tally);
        long completed = queue.counts().totals().completed();
        tally.check(completed);
        Counts.check(queue, next - delayed - completed, delayed, completed);
        return Figures.processed(result.jobsPerSecond(), jobs, result.before(), result.after());
    }

    Map<Figure, Double> lateness(int jobs) throws InterruptedException {
        return Lateness.measure(queue, jobs);
    }

    /** The slowest scripts since the queue was full, or began to be filled, as {@link SlowLog} shows them. */
    String slowestScripts() {
        try (Jedis jedis = new Jedis(redis.uri())) {
            return SlowLog.report(jedis);
        }
    }

    /** The same of scripts that have nothing to do with a queue, as {@link Stalls} shows them. */
    String slowestOfNothing() {
        try (Jedis jedis = new Jedis(redis.uri())) {
            return Stalls.report(jedis);
        }
    }

    @Override
    public void close() {
        queues.close();
        redis.close();
    }

    /**
     * A million is just below a power of two, from which on Redis doubles its table of keys and moves them over, one step
     * with each key that is looked up. That is over before anything is measured.
     */
    private void grow() throws Exception {
        enqueue(jobs, Duration.ZERO);
        String[] nobody = new String[LOOKUPS];
        Arrays.fill(nobody, "nobody");
        try (Jedis jedis = new Jedis(redis.uri())) {
            for (int i = 0; i < 2 * next; i += LOOKUPS) {
                jedis.exists(nobody);
            }
        }
        new Drain(queue, queue, CONCURRENCY, redis.uri()).run(jobs, tally);
    }

    private void enqueue(int count, Duration delay) throws Exception {
        UnaryOperator<NewJob> delaying = delay.isZero() ? job -> job : job -> job.after(delay);
        for (int left = count; left > 0; left -= STEP) {
            List<JobSource> some = JobSource.create(next, Math.min(left, STEP), "t");
            Enqueue.bulk(queue, some, BULK, FLIGHTS, delaying);
            next += some.size();
        }
    }
}
