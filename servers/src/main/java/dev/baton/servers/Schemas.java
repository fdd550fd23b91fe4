package dev.baton.servers;

import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The schemas made for tests. On a server that stays, they are dropped when the JVM exits normally. */
final class Schemas {

    private static final Logger LOG = LoggerFactory.getLogger(Schemas.class);

    private static final String PREFIX = "baton_" + Unique.ofThisJvm() + "_";
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Queue<String> CREATED = new ConcurrentLinkedQueue<>();

    private Schemas() {}

    static String create(Postgres server) {
        String name = PREFIX + COUNT.incrementAndGet();
        try {
            Sql.run(server.source(server.jdbcUrl()), "CREATE SCHEMA " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("Could not create a schema on " + server.describe(), e);
        }
        CREATED.add(name);
        return name;
    }

    static void dropAtExit() {
        AtExit.run(() -> {
            for (String name : CREATED) {
                drop(Postgres.get(), name);
            }
        });
    }

    private static void drop(Postgres server, String name) {
        try {
            // A connection that is still open somewhere must not hold up the exit.
            Sql.run(
                    server.source(server.jdbcUrl()),
                    "SET lock_timeout = '2s'",
                    "DROP SCHEMA IF EXISTS " + name + " CASCADE");
        } catch (SQLException e) {
            LOG.warn("Schema {} was left on {}: {}", name, server.describe(), e.getMessage());
        }
    }
}
