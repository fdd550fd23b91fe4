package dev.baton.examples.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.Event;
import dev.baton.redis.ClusterGroup;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.relay.Relay;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/**
 * A batch for three queues in three slots on three masters of a cluster: no transaction spans them, and each remembers its
 * part on its own node. The workers finish each job at once, so nothing but that memory can recognise a repeat.
 */
@Timeout(180)
class ClusterRelayIT {
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));
    private final ClusterGroup cluster = new ClusterGroup();
    private final RedisQueues queues = RedisQueues.connect(cluster.address(), Redis.freshPrefix());
    private final List<RedisJobQueue> onePerNode = cluster.onePerNode(queues);
    private final Map<String, List<Integer>> ran = new ConcurrentHashMap<>();
    private final List<RedisWorker> workers =
            onePerNode.stream().map(this::worker).toList();
    private final Relay relay = relay();
    private final CountingWriter writer = new CountingWriter(jdbi, relay::nudge);

    @AfterEach
    void close() {
        writer.close();
        relay.close();
        workers.forEach(RedisWorker::close);
        queues.close();
        cluster.close();
    }

    @Test
    void a_node_that_dies_in_the_middle_gets_its_part_once_when_it_is_back_and_the_others_get_nothing_twice() {
        await().until(() -> relay.status().published() > 100);
        RedisProcess node = cluster.owner(onePerNode.get(1));
        node.kill();
        await().until(() -> !relay.status().healthy());
        node.restart();
        cluster.awaitOk();
        await().atMost(Duration.ofSeconds(5)).until(() -> relay.status().healthy());
        assertEverythingOnce();
    }

    @Test
    void a_queue_that_moves_to_another_node_takes_its_memory_along() {
        await().until(() -> relay.status().published() > 100);
        RedisProcess before = cluster.owner(onePerNode.get(0));
        cluster.move(onePerNode.get(0));
        assertThat(cluster.owner(onePerNode.get(0))).isNotSameAs(before);
        long moved = relay.status().published();
        await().until(() -> relay.status().published() > moved + 100);
        assertEverythingOnce();
    }

    @Test
    void a_node_that_loses_its_data_gets_it_again_and_the_others_nothing() {
        await().until(() -> relay.status().published() > 100);
        List<Integer> all = everythingWritten();
        await().untilAsserted(() -> assertThat(ran.values()).hasSize(3).allMatch(all::equals));
        RedisJobQueue lossy = onePerNode.get(2);
        try (Jedis jedis = new Jedis(cluster.owner(lossy).uri())) {
            jedis.flushAll();
        }
        List<Integer> twice = new ArrayList<>(all);
        twice.addAll(all);
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(ran.get(lossy.name())).isEqualTo(twice));
        assertThat(relay.status().healed()).isEqualTo(all.size());
        assertThat(ran.get(onePerNode.get(0).name())).isEqualTo(all);
        assertThat(ran.get(onePerNode.get(1).name())).isEqualTo(all);
    }

    private void assertEverythingOnce() {
        List<Integer> all = everythingWritten();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(ran.values()).hasSize(3).allMatch(all::equals));
        assertThat(relay.status().healed()).isZero();
    }

    private List<Integer> everythingWritten() {
        writer.close();
        return IntStream.range(0, writer.written()).boxed().toList();
    }

    private Relay relay() {
        OutboxSchema.migrate(jdbi);
        Routes.Builder routes = Routes.builder();
        onePerNode.forEach(
                queue -> routes.route("counted", Route.to(queue, "count").orderedBy(Event::aggregateId)));
        return Relay.builder(new JdbiOutboxStore(jdbi), routes.build()).start();
    }

    private RedisWorker worker(RedisJobQueue queue) {
        return RedisWorker.builder(queue)
                .concurrency(1)
                .handle(
                        "count",
                        job -> ran.computeIfAbsent(queue.name(), name -> new CopyOnWriteArrayList<>())
                                .add(job.payload(Integer.class)))
                .start();
    }
}
