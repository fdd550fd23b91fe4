package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.job.NewJob;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import redis.clients.jedis.exceptions.JedisException;

/** Enqueues job after job, each until Redis has acknowledged it, until it is closed. */
final class Load implements AutoCloseable {
    final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    final Queue<JedisException> failures = new ConcurrentLinkedQueue<>();

    private final RedisJobQueue queue;
    private final String prefix;
    private final Thread thread = new Thread(this::run, "load");
    private volatile boolean closing;

    private Load(RedisJobQueue queue, String prefix) {
        this.queue = queue;
        this.prefix = prefix;
    }

    static Load on(RedisJobQueue queue, String prefix) {
        Load load = new Load(queue, prefix);
        load.thread.start();
        return load;
    }

    /** Enqueues these and waits until they are done, at most so long from now. */
    static void finishes(RedisJobQueue queue, String prefix, int jobs, Set<String> done, Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        for (int i = 0; i < jobs; i++) {
            enqueue(queue, prefix + i, longest);
        }
        Awaitility.await()
                .pollInterval(Duration.ofMillis(10))
                .atMost(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)
                .until(() -> done.stream().filter(id -> id.startsWith(prefix)).count() == jobs);
    }

    /**
     * New jobs are done again, at most so long from now. Those that a master takes while it is being replaced may vanish
     * with it, so more are enqueued until enough are done.
     */
    static void flows(RedisJobQueue queue, String prefix, int jobs, Set<String> done, Duration longest) {
        try (Load load = Load.on(queue, prefix)) {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(longest)
                    .untilAsserted(() -> assertThat(load.done(done))
                            .as(
                                    "done, of %s acknowledged after %s failures",
                                    load.acknowledged.size(), load.failures.size())
                            .isGreaterThanOrEqualTo(jobs));
        }
    }

    private long done(Set<String> done) {
        return done.stream().filter(id -> id.startsWith(prefix)).count();
    }

    /** From here on the acknowledged jobs are all there will be. */
    void stop() {
        closing = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }

    private void run() {
        for (int i = 0; !closing; i++) {
            String id = prefix + i;
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> closing || accepted(queue, id));
        }
    }

    private boolean accepted(RedisJobQueue to, String id) {
        try {
            to.enqueue(NewJob.of("work", "{}").withId(id));
            acknowledged.add(id);
            return true;
        } catch (JedisException e) {
            failures.add(e);
            return false;
        }
    }

    private static void enqueue(RedisJobQueue queue, String id, Duration longest) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(longest)
                .ignoreExceptionsInstanceOf(JedisException.class)
                .until(() -> queue.enqueue(NewJob.of("work", "{}").withId(id)) != null);
    }
}
