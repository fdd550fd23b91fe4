package dev.baton.examples.shop.demo;

import dev.baton.examples.shop.ShopConfig;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import dev.baton.servers.Servers;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** PostgreSQL and Redis for a demo or a test: named by the environment, or else started for this JVM. */
public final class DemoServers {
    private DemoServers() {}

    /** Starts both, if they are not running. Says which they are. */
    public static String start() {
        return Servers.startAll();
    }

    /** A shop of its own on these servers: an empty schema, and keys that nobody else has. */
    public static ShopConfig freshShop(URI foreignServices, Duration lease) {
        String user = encoded(Postgres.get().user());
        String password = encoded(Postgres.get().password());
        String databaseUrl = Postgres.freshSchema() + "&user=" + user + "&password=" + password;
        return new ShopConfig(databaseUrl, Redis.get().uri(), Redis.freshPrefix(), foreignServices, lease);
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
