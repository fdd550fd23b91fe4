package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class OutageIT {
    private static final Duration RESUME = Duration.ofSeconds(5);
    private static final Duration BLOCKING = Duration.ofSeconds(2);

    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private final RedisProcess server = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always");
    private final RedisQueues queues = RedisQueues.connect(server.uri(), "p");
    private final RedisJobQueue queue = queues.queue("q");

    @AfterEach
    void close() {
        queues.close();
        server.close();
    }

    @Test
    void an_idle_worker_outlives_an_outage_of_three_times_its_blocking_time() {
        try (RedisWorker worker = worker()) {
            Load.finishes(queue, "before-", 1, done, RESUME);

            server.stop();
            passes(BLOCKING.multipliedBy(3));
            server.restart();

            Load.finishes(queue, "after-", 100, done, RESUME);
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void a_worker_that_is_started_during_an_outage_begins_when_it_is_over() {
        server.stop();
        try (RedisWorker worker = worker()) {
            passes(BLOCKING);
            server.restart();

            Load.finishes(queue, "after-", 100, done, RESUME);
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void random_outages_under_load_lose_no_job_and_work_resumes_within_seconds_each_time() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        try (RedisWorker worker = worker();
                Load load = Load.on(queue, "load-")) {
            for (int i = 0; i < 5; i++) {
                passes(Duration.ofMillis(random.nextInt(500)));
                outage(random);
                Load.finishes(queue, "after-" + i + "-", 20, done, RESUME);
            }
            load.stop();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(done).containsAll(load.acknowledged));
            assertThat(worker).isNotNull();
        }
    }

    private void outage(Random random) {
        Duration length = Duration.ofMillis(200 + random.nextInt(2_500));
        switch (random.nextInt(3)) {
            case 0 -> server.stop();
            case 1 -> server.kill();
            default -> {
                server.pause();
                passes(length);
                server.resume();
                return;
            }
        }
        passes(length);
        server.restart();
    }

    private RedisWorker worker() {
        return RedisWorker.builder(queue)
                .handle("work", job -> done.add(job.id()))
                .start();
    }

    /** The length of an outage is the condition itself here. */
    private static void passes(Duration time) {
        await().pollDelay(time).atMost(time.plusSeconds(10)).until(() -> true);
    }
}
