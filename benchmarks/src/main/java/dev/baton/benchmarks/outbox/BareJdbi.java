package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.jdbi.OutboxSchema;
import java.sql.SQLException;
import org.jdbi.v3.core.Jdbi;

/** The same row in the same table, in a transaction of Jdbi. */
final class BareJdbi implements Recorder {
    @Override
    public String name() {
        return "jdbi";
    }

    @Override
    public Recording open(HikariDataSource pool) {
        Jdbi jdbi = Jdbi.create(pool);
        OutboxSchema.migrate(jdbi);
        return new Inserts(jdbi);
    }

    private record Inserts(Jdbi jdbi) implements Recording {
        @Override
        public void record(String payload) {
            try {
                jdbi.useTransaction(transaction -> BareInsert.execute(transaction.getConnection(), payload));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {}
    }
}
