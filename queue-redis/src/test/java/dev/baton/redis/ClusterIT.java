package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import dev.baton.servers.Redis;
import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.exceptions.JedisRedirectionException;

@Timeout(120)
class ClusterIT {
    private static final Duration RESUME = Duration.ofSeconds(5);

    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private final ClusterGroup group = new ClusterGroup();
    private final RedisQueues queues = RedisQueues.connect(group.address(), Redis.freshPrefix());
    private final List<RedisJobQueue> list = group.onePerNode(queues);
    private final List<RedisWorker> workers = list.stream().map(this::worker).toList();

    @AfterEach
    void close() {
        workers.forEach(RedisWorker::close);
        queues.close();
        group.close();
    }

    @Test
    void queues_on_every_node_are_served_and_one_node_that_restarts_is_found_again() {
        finishesEverywhere("before-");
        RedisProcess node = group.owner(list.get(1));
        try (Load first = Load.on(list.get(0), "load-0-");
                Load second = Load.on(list.get(1), "load-1-")) {
            await().until(() -> first.acknowledged.size() > 20 && second.acknowledged.size() > 20);

            node.kill();
            await().until(() -> !isOk(group.nodes.get(0) == node ? group.nodes.get(1) : group.nodes.get(0)));
            node.restart();
            group.awaitOk();
            finishesEverywhere("after-");

            first.stop();
            second.stop();
            await().untilAsserted(() ->
                    assertThat(done).containsAll(first.acknowledged).containsAll(second.acknowledged));
        }
    }

    @Test
    void a_queue_that_moves_to_another_node_under_load_is_followed() {
        RedisJobQueue queue = list.get(0);
        RedisProcess before = group.owner(queue);
        try (Load load = Load.on(queue, "load-")) {
            await().until(() -> load.acknowledged.size() > 100);

            group.move(queue);
            Load.finishes(queue, "after-", 100, done, RESUME);

            load.stop();
            await().untilAsserted(() -> assertThat(done).containsAll(load.acknowledged));
            // While keys are in both places a call may be told to come again, but it is never sent away.
            assertThat(load.failures).noneMatch(JedisRedirectionException.class::isInstance);
        }
        assertThat(group.owner(queue)).isNotSameAs(before);
    }

    @Test
    void a_large_call_to_a_cluster_is_answered_per_job() {
        List<NewJob> jobs = IntStream.range(0, 1_000)
                .mapToObj(i -> NewJob.of("work", "{}").withId("bulk-" + i))
                .toList();
        assertThat(list.get(2).enqueue(jobs)).hasSize(1_000);
        await().until(() -> list.get(2).counts().totals().completed() == 1_000);
    }

    private void finishesEverywhere(String prefix) {
        for (int i = 0; i < list.size(); i++) {
            Load.finishes(list.get(i), prefix + i + "-", 50, done, RESUME);
        }
    }

    private static boolean isOk(RedisProcess node) {
        try (var jedis = SentinelGroup.jedis(node)) {
            return jedis.clusterInfo().contains("cluster_state:ok");
        }
    }

    private RedisWorker worker(RedisJobQueue queue) {
        return RedisWorker.builder(queue)
                .handle("work", job -> done.add(job.id()))
                .start();
    }
}
