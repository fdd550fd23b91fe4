package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.servers.Redis;
import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SentinelIT {
    private static final Duration RESUME = Duration.ofSeconds(5);

    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private final SentinelGroup group;
    private final RedisQueues queues;
    private final RedisJobQueue queue;
    private final RedisWorker worker;

    SentinelIT() throws Exception {
        group = new SentinelGroup();
        queues = RedisQueues.connect(group.address(), Redis.freshPrefix());
        queue = queues.queue("q");
        worker = RedisWorker.builder(queue)
                .handle("work", job -> done.add(job.id()))
                .start();
    }

    @AfterEach
    void close() throws Exception {
        worker.close();
        queues.close();
        group.close();
    }

    @Test
    void a_failover_under_load_loses_nothing_that_was_replicated_and_work_resumes_within_seconds() {
        try (Load load = Load.on(queue, "load-")) {
            await().until(() -> load.acknowledged.size() > 100);
            group.awaitReplicated();
            Set<String> replicated = Set.copyOf(load.acknowledged);
            RedisProcess old = group.master();

            group.orderFailover();
            group.awaitPromotion(old);
            Load.flows(queue, "after-", 100, done, RESUME);

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(done).containsAll(replicated));
            // The Sentinels tell it up to 10 s later; meanwhile it takes itself for the master.
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> SentinelGroup.role(old).equals("slave"));
            Load.flows(queue, "with-replica-", 100, done, RESUME);
        }
    }

    @Test
    void a_master_that_dies_under_load_is_replaced_and_comes_back_as_a_replica() {
        try (Load load = Load.on(queue, "load-")) {
            await().until(() -> load.acknowledged.size() > 100);
            group.awaitReplicated();
            Set<String> replicated = Set.copyOf(load.acknowledged);
            RedisProcess old = group.master();

            old.kill();
            group.awaitPromotion(old);
            Load.flows(queue, "after-", 100, done, RESUME);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(done).containsAll(replicated));

            // It takes itself for the master until the Sentinels tell it otherwise, which they do after 10 s.
            group.awaitAgreement();
            old.restart();
            Load.flows(queue, "back-", 100, done, RESUME);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> SentinelGroup.role(old).equals("slave"));
            Load.flows(queue, "replica-", 100, done, RESUME);
        }
    }

    @Test
    void a_worker_that_rests_for_long_after_failures_tries_again_as_soon_as_another_master_is_named() {
        Duration tenMinutes = Duration.ofMinutes(10);
        try (RedisQueues patient = RedisQueues.connect(
                        group.address().withReconnect(tenMinutes, tenMinutes), Redis.freshPrefix());
                RedisWorker resting = RedisWorker.builder(patient.queue("q"))
                        .handle("work", job -> done.add(job.id()))
                        .start()) {
            Load.flows(patient.queue("q"), "patient-before-", 10, done, RESUME);
            RedisProcess old = group.master();

            old.kill();
            group.awaitPromotion(old);
            Load.flows(patient.queue("q"), "patient-after-", 100, done, RESUME);
            assertThat(resting).isNotNull();
        }
    }

    @Test
    void a_master_that_hangs_while_the_worker_is_idle_is_noticed() {
        Load.flows(queue, "before-", 10, done, RESUME);
        RedisProcess old = group.master();

        old.pause();
        group.awaitPromotion(old);
        Load.flows(queue, "after-", 100, done, RESUME);
    }
}
