package dev.baton.examples.tickets;

import dev.baton.examples.service.Environment;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * Where the ticket office finds everything, and its times.
 *
 * @param databaseUrl {@code postgres://user:password@host/database} or a JDBC URL
 * @param redis such as {@code redis://localhost:6379}
 * @param prefix of all keys in Redis; keeps offices apart that share one
 * @param hold how long seats are locked for an order
 * @param retryFactor by which the waits between attempts are multiplied; 1 but for a demonstration
 * @param lease how long a job stays with a worker that gives no sign of life
 */
public record TicketsConfig(
        String databaseUrl, URI redis, String prefix, Duration hold, double retryFactor, Duration lease) {
    private static final long HOLD_SECONDS = 600;
    private static final long LEASE_SECONDS = 15;

    /**
     * The configuration of a process of its own: {@code DATABASE_URL}, {@code REDIS_URL}, and, if they are not as usual,
     * {@code TICKETS_PREFIX}, {@code TICKETS_HOLD_SECONDS} (600), {@code TICKETS_RETRY_FACTOR} (1) and {@code
     * TICKETS_LEASE_SECONDS} (15).
     *
     * @throws IllegalArgumentException if a variable is missing or cannot be used; the message names it, not its value
     */
    public static TicketsConfig from(Environment environment) {
        return new TicketsConfig(
                environment.required(
                        "DATABASE_URL", "a PostgreSQL URL, such as postgres://user:password@localhost/tickets"),
                environment.uri("REDIS_URL", "a Redis URL, such as redis://localhost:6379"),
                environment.text("TICKETS_PREFIX", "tickets"),
                Duration.ofSeconds(environment.number("TICKETS_HOLD_SECONDS", HOLD_SECONDS)),
                environment.factor("TICKETS_RETRY_FACTOR"),
                Duration.ofSeconds(environment.number("TICKETS_LEASE_SECONDS", LEASE_SECONDS)));
    }

    /** The way back: what makes another process use the same. */
    public Map<String, String> toEnvironment() {
        return Map.of(
                "DATABASE_URL", databaseUrl,
                "REDIS_URL", redis.toString(),
                "TICKETS_PREFIX", prefix,
                "TICKETS_HOLD_SECONDS", Long.toString(hold.toSeconds()),
                "TICKETS_RETRY_FACTOR", Double.toString(retryFactor),
                "TICKETS_LEASE_SECONDS", Long.toString(lease.toSeconds()));
    }

    /** Shows no URL: they hold passwords. */
    @Override
    public String toString() {
        return "TicketsConfig[" + prefix + "]";
    }
}
