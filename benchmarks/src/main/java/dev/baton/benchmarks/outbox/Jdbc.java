package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.jdbi.JdbcOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.jdbi.v3.core.Jdbi;

/** What writes one row per transaction of plain JDBC. */
record Jdbc(String name, Statement statement) implements Recorder {

    /** What no writer can beat. */
    static Jdbc bare() {
        return new Jdbc("jdbc", BareInsert::execute);
    }

    /** Our writer. */
    static Jdbc ofBaton() {
        JdbcOutboxWriter writer = new JdbcOutboxWriter();
        return new Jdbc("baton-jdbc", (transaction, payload) -> writer.write(transaction, Payloads.event(payload)));
    }

    @Override
    public Recording open(HikariDataSource pool) {
        OutboxSchema.migrate(Jdbi.create(pool));
        return new Transactions(pool, statement);
    }

    /** Writes the row. */
    interface Statement {
        void execute(Connection transaction, String payload) throws SQLException;
    }

    private record Transactions(HikariDataSource pool, Statement statement) implements Recording {
        @Override
        public void record(String payload) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                statement.execute(connection, payload);
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {}
    }
}
