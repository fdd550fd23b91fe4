package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.jdbi.JdbcOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.Event;
import java.sql.Connection;
import java.sql.SQLException;
import org.jdbi.v3.core.Jdbi;

/** Our writer on a JDBC connection. */
final class BatonJdbc implements Recorder {
    @Override
    public String name() {
        return "baton-jdbc";
    }

    @Override
    public Recording open(HikariDataSource pool) {
        OutboxSchema.migrate(Jdbi.create(pool));
        return new Writes(pool, new JdbcOutboxWriter());
    }

    private record Writes(HikariDataSource pool, JdbcOutboxWriter writer) implements Recording {
        @Override
        public void record(String payload) {
            Event event = Event.of("order.placed", "order-" + Payloads.number(payload), payload);
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                writer.write(connection, event);
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {}
    }
}
