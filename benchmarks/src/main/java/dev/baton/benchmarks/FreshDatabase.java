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

    /** A pool of so many connections; to be closed. */
    public static HikariDataSource pool(int connections) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(Postgres.dataSource(Postgres.freshSchema()));
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    /** Removes the schema with all that is in it, so that the next measurement does not find a fuller disk. */
    public static void drop(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA " + connection.getSchema() + " CASCADE");
        }
    }
}
