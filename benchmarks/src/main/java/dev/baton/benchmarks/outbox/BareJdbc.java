package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jdbi.v3.core.Jdbi;

/** The same row in the same table by plain JDBC: what no writer can beat. */
final class BareJdbc implements Recorder {
    private static final String INSERT =
            "INSERT INTO outbox_events (id, topic, aggregate_id, payload, headers, hash) VALUES (?, ?, ?, ?::jsonb, ?::jsonb, ?)";

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
                    String aggregate = "order-" + Payloads.number(payload);
                    // An id of the same kind: whether ids rise matters to the index.
                    insert.setObject(
                            1, Event.of("order.placed", aggregate, payload).id());
                    insert.setString(2, "order.placed");
                    insert.setString(3, aggregate);
                    insert.setString(4, payload);
                    insert.setString(5, "{}");
                    insert.setInt(6, aggregate.hashCode());
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
