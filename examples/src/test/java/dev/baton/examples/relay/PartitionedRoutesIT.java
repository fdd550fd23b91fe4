package dev.baton.examples.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.Event;
import dev.baton.redis.PartitionedQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorkers;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

class PartitionedRoutesIT {
    private static final int EVENTS = 600;
    private static final int ORDERS = 30;

    @Test
    void events_reach_the_partition_of_their_key_once_and_in_order() {
        Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));
        OutboxSchema.migrate(jdbi);
        List<Event> events = IntStream.range(0, EVENTS)
                .mapToObj(i -> Event.of("order.paid", "order-" + i % ORDERS, "{\"n\": " + i + "}"))
                .toList();
        Map<String, List<Integer>> numbers = new ConcurrentHashMap<>();
        Map<String, Set<String>> partitions = new ConcurrentHashMap<>();
        try (RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix())) {
            PartitionedQueue issuance = queues.partitioned("issuance", 3);
            Routes routes = Routes.builder()
                    .route("order.paid", issuance.routes("issue", Event::aggregateId))
                    .build();
            try (Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), routes).start();
                    RedisWorkers workers = issuance.startWorkers(settings -> settings.handle("issue", job -> {
                        int n = job.payload(Numbered.class).n();
                        String order = "order-" + n % ORDERS;
                        numbers.computeIfAbsent(order, key -> new CopyOnWriteArrayList<>())
                                .add(n);
                        partitions
                                .computeIfAbsent(order, key -> ConcurrentHashMap.newKeySet())
                                .add(job.queue());
                    }))) {
                jdbi.useTransaction(tx -> new JdbiOutboxWriter(relay::nudge).write(tx, events));
                await().until(() -> issuance.counts().totals().completed() == EVENTS);
                assertThat(workers).isNotNull();
            }
        }
        assertThat(numbers).hasSize(ORDERS);
        numbers.forEach((order, those) ->
                assertThat(those).as(order).hasSize(EVENTS / ORDERS).isSorted());
        partitions.forEach(
                (order, names) -> assertThat(names).containsExactly("issuance#" + Math.floorMod(order.hashCode(), 3)));
    }

    /** The payload. */
    record Numbered(int n) {}
}
