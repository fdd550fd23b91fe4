package dev.baton.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.servers.Postgres;

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
}
