package dev.baton.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A schema that nobody used before, behind a pool as services have one. */
public final class FreshDatabase {
    private FreshDatabase() {}

    /** Works with a pool of so many connections; then the schema goes, so that the next measurement does not find a fuller disk. */
    public static <R> R use(int connections, Work<R> work) throws Exception {
        try (HikariDataSource pool = pool(connections)) {
            try {
                return work.on(pool);
            } finally {
                drop(pool);
            }
        }
    }

    private static HikariDataSource pool(int connections) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(Postgres.dataSource(Postgres.freshSchema()));
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    private static void drop(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA " + connection.getSchema() + " CASCADE");
        }
    }

    /** What is done in the schema. */
    public interface Work<R> {
        /** Must have ended when it returns. */
        R on(HikariDataSource pool) throws Exception;
    }
}
