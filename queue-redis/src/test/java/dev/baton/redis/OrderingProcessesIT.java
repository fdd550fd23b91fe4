package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.NewJob;
import dev.baton.redis.WorkerInstance.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scenario Q9; the system property {@code baton.ordering.jobs} sets how many jobs, 4,000 by default. */
@Timeout(300)
class OrderingProcessesIT {
    private static final int JOBS = Integer.getInteger("baton.ordering.jobs", 4_000);
    private static final int KEYS = 200;
    private static final int PROCESSES = 4;
    private static final int KILLS = 3;

    /** None dies, however often its process does. */
    private static final RetryPolicy PATIENT =
            new RetryPolicy(50, 100, Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(50)));

    private final Instances instances = new Instances();
    private final RedisJobQueue queue = instances.queue;
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @AfterEach
    void close() {
        instances.close();
    }

    @Test
    void jobs_of_one_key_never_overlap_and_keep_their_order_over_failures_postponements_and_kills() throws Exception {
        System.out.println("seed " + seed);
        List<String> alive = new ArrayList<>(
                Stream.iterate(0, i -> i + 1).limit(PROCESSES).map(i -> "w" + i).toList());
        instances.start(alive.stream().map(OrderingProcessesIT::worker).toArray(Settings[]::new));
        enqueue();
        for (int kill = 1; kill <= KILLS; kill++) {
            long done = (long) JOBS * kill / (KILLS + 2);
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> queue.counts().totals().completed() >= done);
            int victim = random.nextInt(PROCESSES);
            instances.kill(alive.get(victim));
            alive.set(victim, "w" + victim + "-" + kill);
            instances.start(worker(alive.get(victim)));
        }
        await().atMost(Duration.ofSeconds(90))
                .until(() -> queue.counts().totals().completed() == JOBS);

        assertThat(queue.counts().pending()).isZero();
        assertThat(queue.counts().totals().reclaimed())
                .as("a kill hit jobs, or this shows nothing")
                .isPositive();
        KeyOrder order = new KeyOrder();
        instances.journal.entries().forEach(order::read);
        assertThat(order.problems()).isEmpty();
        assertThat(order.ended()).isEqualTo(JOBS);
        assertThat(queue.counts().totals().lost())
                .as("a worker that is not killed keeps its leases")
                .isZero();
    }

    /** In rounds over the keys, so that all of them are under way at all times. */
    private void enqueue() {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            String key = "key" + i % KEYS;
            jobs.add(NewJob.of("work", payload())
                    .withId(key + "/" + i / KEYS)
                    .orderedBy(key)
                    .retry(PATIENT));
        }
        for (int from = 0; from < JOBS; from += 1_000) {
            queue.enqueue(jobs.subList(from, Math.min(JOBS, from + 1_000)));
        }
    }

    private String payload() {
        StringBuilder payload = new StringBuilder();
        while (random.nextInt(4) == 0) {
            payload.append(random.nextBoolean() ? "fail," : "later:" + random.nextInt(50) + ",");
        }
        return payload.append(random.nextInt(4) == 0 ? "hold:5" : "ok").toString();
    }

    private static Settings worker(String name) {
        return Settings.named(name).slots(25).lease(Duration.ofSeconds(3));
    }
}
