package dev.baton.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.Event;
import dev.baton.redis.RedisQueues;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Jdbi;
import redis.clients.jedis.Jedis;

/** The relay: a backlog into two queues, undisturbed and under what makes others slow. */
final class RelayBench implements Benchmark {
    private static final int EVENTS = Integer.getInteger("bench.jobs", 50_000);
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 5);
    private static final int PUBLISHED = Integer.getInteger("bench.published", 1_000_000);
    private static final int CHUNK = 1_000;
    private static final String PAYLOAD =
            "{\"orderId\":\"5f0c1d0e-2f0a-4f0e-8f0a-1f0e2f0a4f0e\",\"customerId\":\"5f0c1d0e-2f0a-4f0e-8f0a-1f0e2f0a4f0e\","
                    + "\"total\":250000}";

    @Override
    public void run(Report report) throws Exception {
        System.out.println(Postgres.get().describe() + ", " + Redis.get().describe());
        Rounds.Measurement undisturbed = () -> measure(1, Disturbance.NONE);
        report.add("relay.1", Figure.EVENTS, Rounds.run(ROUNDS, undisturbed, Map::of));
        report.add("relay.4", Figure.EVENTS, Rounds.run(ROUNDS, () -> measure(4, Disturbance.NONE), Map::of));
        report.add(
                "relay.1.snapshot",
                Figure.EVENTS,
                Rounds.run(ROUNDS, () -> measure(1, Disturbance.SNAPSHOT), undisturbed));
        report.add(
                "relay.1.published",
                Figure.EVENTS,
                Rounds.run(1, () -> measure(1, Disturbance.PUBLISHED), undisturbed));
    }

    private enum Disturbance {
        NONE,
        /** A snapshot from before the first event stays open, while as many events pass unmeasured. */
        SNAPSHOT,
        /** Many published rows are in the table. */
        PUBLISHED
    }

    private static Map<Figure, Double> measure(int shards, Disturbance disturbance) throws Exception {
        try (Jedis jedis = new Jedis(Redis.get().uri())) {
            jedis.flushAll();
        }
        try (HikariDataSource pool = FreshDatabase.pool(2 + shards);
                RedisQueues queues = RedisQueues.connect(Redis.get().uri(), "bench");
                Connection old = pool.getConnection()) {
            Jdbi jdbi = Jdbi.create(pool);
            OutboxSchema.migrate(jdbi);
            if (disturbance == Disturbance.SNAPSHOT) {
                hold(old);
                write(jdbi);
                drain(jdbi, queues, shards);
            } else if (disturbance == Disturbance.PUBLISHED) {
                publish(jdbi);
            }
            write(jdbi);
            long began = System.nanoTime();
            drain(jdbi, queues, shards);
            double perSecond = EVENTS * 1e9 / (System.nanoTime() - began);
            jdbi.useHandle(handle -> handle.execute("TRUNCATE outbox_events"));
            return Map.of(Figure.EVENTS, perSecond);
        }
    }

    private static void hold(Connection connection) throws Exception {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT count(*) FROM pg_class");
        }
    }

    private static void publish(Jdbi jdbi) {
        jdbi.useHandle(handle -> handle.execute(
                "INSERT INTO outbox_events (id, topic, aggregate_id, payload, published_at, batch) SELECT"
                        + " gen_random_uuid(), 'order.placed', n::text, ?::jsonb, now(), 0 FROM generate_series(1, ?) AS"
                        + " n",
                PAYLOAD,
                PUBLISHED));
    }

    private static void write(Jdbi jdbi) {
        JdbiOutboxWriter writer = new JdbiOutboxWriter();
        for (int i = 0; i < EVENTS; i += CHUNK) {
            List<Event> events = new ArrayList<>();
            for (int j = 0; j < CHUNK; j++) {
                events.add(Event.of("order.placed", UUID.randomUUID(), PAYLOAD));
            }
            jdbi.useTransaction(tx -> writer.write(tx, events));
        }
    }

    private static void drain(Jdbi jdbi, RedisQueues queues, int shards) {
        Routes routes = Routes.builder()
                .route("order.placed", queues.queue("payments"), "capture")
                .route("order.placed", queues.queue("mail"), "confirm")
                .build();
        try (Relay relay =
                Relay.builder(new JdbiOutboxStore(jdbi), routes).shards(shards).start()) {
            while (relay.status().published() < EVENTS) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
