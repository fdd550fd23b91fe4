package dev.baton.benchmarks.queue;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import redis.clients.jedis.Jedis;

/**
 * What the machine alone does to scripts: one that touches no key and only counts, for about as long as a full exchange takes,
 * is called as often as those of a measurement, while all processors are as busy as they were then.
 */
final class Stalls {
    private static final String COUNTING = "local x = 0 for i = 1, ARGV[1] do x = x + i end return x";

    /** A millisecond or one and a half. */
    private static final String STEPS = "300000";

    private static final int CALLS = 6_000;

    private Stalls() {}

    /** {@link SlowLog#report} of these calls; resets the log. */
    static String report(Jedis jedis) {
        AtomicBoolean done = new AtomicBoolean();
        int processors = Runtime.getRuntime().availableProcessors();
        ExecutorService threads = Executors.newFixedThreadPool(processors);
        try {
            for (int i = 0; i < processors; i++) {
                threads.execute(() -> {
                    while (!done.get()) {
                        Thread.onSpinWait();
                    }
                });
            }
            jedis.slowlogReset();
            long began = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                jedis.eval(COUNTING, List.of(), List.of(STEPS));
            }
            double each = (System.nanoTime() - began) / 1e6 / CALLS;
            return String.format(Locale.ROOT, "%,d calls of %.2f ms, ", CALLS, each) + SlowLog.report(jedis);
        } finally {
            done.set(true);
            threads.shutdown();
        }
    }
}
