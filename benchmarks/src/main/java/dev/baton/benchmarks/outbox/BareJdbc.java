package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.jdbi.OutboxSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** The same row in the same table by plain JDBC: what no writer can beat. */
final class BareJdbc implements Recorder {
    private static final String INSERT =
            "INSERT INTO outbox_events (id, topic, aggregate_id, payload, headers) VALUES (?, ?, ?, ?::jsonb, ?::jsonb)";

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public Recording open(HikariDataSource pool) {
        OutboxSchema.migrate(Jdbi.create(pool));
        return new Inserts(pool);
    }

    private record Inserts(HikariDataSource pool) implements Recording {
        @Override
        public void record(String payload) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                    insert.setObject(1, UUID.randomUUID());
                    insert.setString(2, "order.placed");
                    insert.setString(3, "order-" + Payloads.number(payload));
                    insert.setString(4, payload);
                    insert.setString(5, "{}");
                    insert.executeUpdate();
                }
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {}
    }
}
