package dev.baton.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.Event;
import dev.baton.servers.Postgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** The writer beside a bare JDBC insert of the same row: one event per transaction, one thread. */
final class OutboxBench implements Benchmark {
    private static final int EVENTS = 3_000;
    private static final int ROUNDS = 5;
    private static final String PAYLOAD =
            "{\"orderId\":\"5f0c1d0e-2f0a-4f0e-8f0a-1f0e2f0a4f0e\",\"customerId\":\"5f0c1d0e-2f0a-4f0e-8f0a-1f0e2f0a4f0e\","
                    + "\"total\":250000}";
    private static final String BARE_INSERT =
            "INSERT INTO outbox_events (id, topic, aggregate_id, payload, headers) VALUES (?, ?, ?, ?::jsonb, ?::jsonb)";

    @Override
    public void run(Report report) throws Exception {
        System.out.println(Postgres.get().describe());
        try (HikariDataSource pool = FreshDatabase.pool(2)) {
            Jdbi jdbi = Jdbi.create(pool);
            OutboxSchema.migrate(jdbi);
            Rounds rounds = Rounds.run(ROUNDS, () -> writer(jdbi), () -> bare(pool));
            report.add("write.1@jdbc", Figure.EVENTS, rounds);
        }
    }

    private static Map<Figure, Double> writer(Jdbi jdbi) {
        jdbi.useHandle(handle -> handle.execute("TRUNCATE outbox_events"));
        JdbiOutboxWriter writer = new JdbiOutboxWriter();
        long began = System.nanoTime();
        for (int i = 0; i < EVENTS; i++) {
            String order = "order-" + i;
            jdbi.useTransaction(tx -> writer.write(tx, Event.of("order.placed", order, PAYLOAD)));
        }
        return eventsPerSecond(began);
    }

    private static Map<Figure, Double> bare(HikariDataSource pool) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.createStatement().execute("TRUNCATE outbox_events");
        }
        long began = System.nanoTime();
        for (int i = 0; i < EVENTS; i++) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                insert(connection, "order-" + i);
                connection.commit();
            }
        }
        return eventsPerSecond(began);
    }

    private static void insert(Connection connection, String order) throws Exception {
        try (PreparedStatement insert = connection.prepareStatement(BARE_INSERT)) {
            insert.setObject(1, UUID.randomUUID());
            insert.setString(2, "order.placed");
            insert.setString(3, order);
            insert.setString(4, PAYLOAD);
            insert.setString(5, "{}");
            insert.executeUpdate();
        }
    }

    private static Map<Figure, Double> eventsPerSecond(long began) {
        return Map.of(Figure.EVENTS, EVENTS * 1e9 / (System.nanoTime() - began));
    }
}
