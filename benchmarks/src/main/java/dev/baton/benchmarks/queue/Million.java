package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.Sizes;
import dev.baton.job.NewJob;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.Slowlog;

/**
 * A queue in which a million jobs lie, on a server of its own. Each measurement enqueues as many as it completes, so it
 * stays as full as it is.
 */
final class Million implements AutoCloseable {
    private static final int CONCURRENCY = 100;
    private static final int BULK = 200;
    private static final int FLIGHTS = 4;

    private static final int SLOWLOG = 10_000;
    private static final int BOUND_MICROS = 5_000;
    private static final int SHOWN = 6;
    private static final int LOOKUPS = 1_000;

    /** Sources in memory at once. */
    private static final int STEP = 100_000;

    private final RedisProcess redis =
            RedisProcess.start("--slowlog-log-slower-than", "500", "--slowlog-max-len", "10000");
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

    /**
     * The slowest scripts since the queue was full, or began to be filled: how long they took, and how many keys they had, which tells which they
     * are. The clock of {@code SLOWLOG} goes on while the machine stalls; that single commands, which have no such work,
     * are in it too shows when it did.
     */
    String slowestScripts() {
        try (Jedis jedis = new Jedis(redis.uri())) {
            List<Slowlog> entries = jedis.slowlogGet(SLOWLOG).stream()
                    .sorted(Comparator.comparingLong(Slowlog::getExecutionTime).reversed())
                    .toList();
            List<Slowlog> scripts = entries.stream().filter(Million::isScript).toList();
            List<Slowlog> commands =
                    entries.stream().filter(entry -> !isScript(entry)).toList();
            return slow(scripts) + " over 5 ms; the slowest: "
                    + shown(scripts, entry -> entry.getArgs().get(2) + " keys")
                    + "; single commands over 5 ms: " + slow(commands)
                    + "; the slowest: "
                    + shown(commands, entry -> entry.getArgs().get(0));
        }
    }

    private static long slow(List<Slowlog> entries) {
        return entries.stream()
                .filter(entry -> entry.getExecutionTime() > BOUND_MICROS)
                .count();
    }

    private static String shown(List<Slowlog> entries, Function<Slowlog, String> what) {
        return entries.stream()
                .limit(SHOWN)
                .map(entry ->
                        String.format(Locale.ROOT, "%.2f ms (%s)", entry.getExecutionTime() / 1e3, what.apply(entry)))
                .collect(Collectors.joining(", "));
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

    private static boolean isScript(Slowlog entry) {
        String command = entry.getArgs().get(0);
        return command.equalsIgnoreCase("EVALSHA") || command.equalsIgnoreCase("EVAL");
    }
}
