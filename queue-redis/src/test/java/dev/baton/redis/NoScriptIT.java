package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.servers.Redis;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NoScriptIT {
    private static final int FLUSHES = 200;
    private static final int JOBS = 1_000;

    @Test
    void a_server_that_forgets_the_scripts_again_and_again_under_load_costs_no_job_and_repeats_none() {
        Map<String, Integer> handled = new ConcurrentHashMap<>();
        try (RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix())) {
            RedisJobQueue queue = queues.queue("q");
            try (RedisWorker worker = RedisWorker.builder(queue)
                    .handle("work", job -> handled.merge(job.id(), 1, Integer::sum))
                    .start()) {
                Load load = Load.on(queue, "job-");
                try (load) {
                    AtomicInteger flushes = new AtomicInteger();
                    await().pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(1))
                            .atMost(Duration.ofSeconds(30))
                            .until(() -> {
                                queues.redis().scriptFlush();
                                return flushes.incrementAndGet() >= FLUSHES && handled.size() >= JOBS;
                            });
                }
                await().until(() -> queue.counts().totals().completed() == load.acknowledged.size());
                assertThat(load.failures).isEmpty();
                assertThat(handled.keySet()).isEqualTo(load.acknowledged);
                assertThat(handled.values()).containsOnly(1);
                assertThat(queue.counts().totals().lost()).isZero();
                assertThat(queue.counts().totals().reclaimed()).isZero();
                assertThat(worker).isNotNull();
            }
        }
    }

    @Test
    void a_server_that_forgets_a_script_in_the_middle_of_the_check_is_found_fit() throws Exception {
        try (RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix())) {
            AtomicBoolean enough = new AtomicBoolean();
            Thread flushing = new Thread(() -> {
                while (!enough.get()) {
                    queues.redis().scriptFlush();
                }
            });
            flushing.start();
            try {
                for (int i = 0; i < 50; i++) {
                    assertThat(queues.check()).isEmpty();
                }
            } finally {
                enough.set(true);
                flushing.join();
            }
        }
    }
}
