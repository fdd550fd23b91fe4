package dev.baton.examples.shop.demo;

import dev.baton.examples.demo.DemoServers;
import dev.baton.examples.shop.ShopConfig;
import dev.baton.servers.Redis;
import java.net.URI;
import java.time.Duration;

/** A place for a shop. */
public final class ShopServers {
    /** Ten times what a real one takes: the demo has a minute. */
    private static final int CARRIER_PER_SECOND = 40;

    private ShopServers() {}

    /** A shop of its own on the servers of this JVM: an empty schema, and keys that nobody else has. */
    public static ShopConfig freshShop(URI foreignServices, Duration lease) {
        return new ShopConfig(
                DemoServers.freshDatabaseUrl(),
                Redis.get().uri(),
                Redis.freshPrefix(),
                foreignServices,
                lease,
                CARRIER_PER_SECOND);
    }
}
