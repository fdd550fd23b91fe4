package dev.baton.examples.shop;

import dev.baton.examples.service.Environment;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * Where the shop finds everything.
 *
 * @param databaseUrl {@code postgres://user:password@host/database} or a JDBC URL
 * @param redis such as {@code redis://localhost:6379}
 * @param prefix of all keys in Redis; keeps shops apart that share one
 * @param foreignServices the address of gateway, carrier and mail service, which are one sandbox here
 * @param lease how long a job stays with a worker that gives no sign of life
 * @param carrierPerSecond how many shipments the carrier takes in a second, from all workers together
 */
public record ShopConfig(
        String databaseUrl, URI redis, String prefix, URI foreignServices, Duration lease, int carrierPerSecond) {
    /** How long a call to a foreign service may take. Far shorter than a lease: see {@code ShippingService}. */
    public static final Duration CALL_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final int CARRIER_PER_SECOND = 4;

    /**
     * The configuration of a process of its own: {@code DATABASE_URL}, {@code REDIS_URL}, {@code SANDBOX_URL}, and,
     * if they are not as usual, {@code SHOP_PREFIX}, {@code SHOP_LEASE_SECONDS} and {@code CARRIER_PER_SECOND}.
     *
     * @throws IllegalArgumentException if a variable is missing or cannot be used; the message names it, not its value
     */
    public static ShopConfig from(Environment environment) {
        return new ShopConfig(
                environment.required(
                        "DATABASE_URL", "a PostgreSQL URL, such as postgres://user:password@localhost/shop"),
                environment.uri("REDIS_URL", "a Redis URL, such as redis://localhost:6379"),
                environment.text("SHOP_PREFIX", "shop"),
                environment.uri("SANDBOX_URL", "the address of the foreign services, such as http://localhost:8090"),
                Duration.ofSeconds(environment.number("SHOP_LEASE_SECONDS", LEASE.toSeconds())),
                (int) environment.number("CARRIER_PER_SECOND", CARRIER_PER_SECOND));
    }

    /** The way back: what makes another process use the same. */
    public Map<String, String> toEnvironment() {
        return Map.of(
                "DATABASE_URL", databaseUrl,
                "REDIS_URL", redis.toString(),
                "SHOP_PREFIX", prefix,
                "SANDBOX_URL", foreignServices.toString(),
                "SHOP_LEASE_SECONDS", Long.toString(lease.toSeconds()),
                "CARRIER_PER_SECOND", Integer.toString(carrierPerSecond));
    }

    /** Shows no URL: they hold passwords. */
    @Override
    public String toString() {
        return "ShopConfig[" + prefix + "]";
    }
}
