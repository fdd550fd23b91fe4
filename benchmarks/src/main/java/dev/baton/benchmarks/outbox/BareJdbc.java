package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.jdbi.OutboxSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.jdbi.v3.core.Jdbi;

/** The same row in the same table by plain JDBC: what no writer can beat. */
final class BareJdbc implements Recorder {

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
                BareInsert.execute(connection, payload);
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {}
    }
}
