package dev.baton.examples.demo;

import dev.baton.servers.Postgres;
import dev.baton.servers.Servers;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** PostgreSQL and Redis for a demo or a test: named by the environment, or else started for this JVM. */
public final class DemoServers {
    private DemoServers() {}

    /** Starts both, if they are not running. Says which they are. */
    public static String start() {
        return Servers.startAll();
    }

    /** A {@code DATABASE_URL} with a new, empty schema. */
    public static String freshDatabaseUrl() {
        String user = encoded(Postgres.get().user());
        String password = encoded(Postgres.get().password());
        return Postgres.freshSchema() + "&user=" + user + "&password=" + password;
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
