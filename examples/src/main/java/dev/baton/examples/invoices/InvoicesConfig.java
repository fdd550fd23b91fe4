package dev.baton.examples.invoices;

import dev.baton.examples.service.Environment;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Where the invoice service finds everything, and its times.
 *
 * @param databaseUrl {@code postgres://user:password@host/database} or a JDBC URL
 * @param redis such as {@code redis://localhost:6379}
 * @param prefix of all keys in Redis; keeps services apart that share one
 * @param provider the address of the providers
 * @param concurrency how many calls to the providers a worker makes at once, in each partition
 * @param claim how long a buyer may claim an invoice
 * @param schedule when the scheduled mode issues, as cron in the time of Hồ Chí Minh City
 * @param retryFactor by which the providers' waits between attempts are multiplied; 1 but for a demonstration
 * @param lease how long a job stays with a worker that gives no sign of life
 */
public record InvoicesConfig(
        String databaseUrl,
        URI redis,
        String prefix,
        URI provider,
        int concurrency,
        Duration claim,
        String schedule,
        double retryFactor,
        Duration lease) {
    /** How long a call to a provider may take. Far shorter than a lease, so that it is over when the lease is. */
    public static final Duration CALL_TIMEOUT = Duration.ofSeconds(1);

    /** The usual number of calls at once. */
    public static final int CONCURRENCY = 10;

    private static final long CLAIM_SECONDS = 86_400;
    private static final long LEASE_SECONDS = 15;

    /**
     * The configuration of a process of its own: {@code DATABASE_URL}, {@code REDIS_URL}, {@code PROVIDER_URL}, and, if they
     * are not as usual, {@code INVOICE_PREFIX}, {@code INVOICE_ISSUANCE_WORKER_CONCURRENCY} (10), {@code
     * INVOICE_CLAIM_SECONDS} (a day), {@code INVOICE_SCHEDULE} (each night at two), {@code INVOICE_RETRY_FACTOR} (1) and
     * {@code INVOICE_LEASE_SECONDS} (15).
     *
     * @throws IllegalArgumentException if a variable is missing or cannot be used; the message names it, not its value
     */
    public static InvoicesConfig from(Environment environment) {
        return new InvoicesConfig(
                environment.required(
                        "DATABASE_URL", "a PostgreSQL URL, such as postgres://user:password@localhost/invoices"),
                environment.uri("REDIS_URL", "a Redis URL, such as redis://localhost:6379"),
                environment.text("INVOICE_PREFIX", "invoices"),
                environment.uri("PROVIDER_URL", "the address of the providers, such as http://localhost:8090"),
                (int) environment.number("INVOICE_ISSUANCE_WORKER_CONCURRENCY", CONCURRENCY),
                Duration.ofSeconds(environment.number("INVOICE_CLAIM_SECONDS", CLAIM_SECONDS)),
                environment.text("INVOICE_SCHEDULE", "0 2 * * *"),
                environment.factor("INVOICE_RETRY_FACTOR"),
                Duration.ofSeconds(environment.number("INVOICE_LEASE_SECONDS", LEASE_SECONDS)));
    }

    /** The way back: what makes another process use the same. */
    public Map<String, String> toEnvironment() {
        Map<String, String> environment = new HashMap<>();
        environment.put("DATABASE_URL", databaseUrl);
        environment.put("REDIS_URL", redis.toString());
        environment.put("INVOICE_PREFIX", prefix);
        environment.put("PROVIDER_URL", provider.toString());
        environment.put("INVOICE_ISSUANCE_WORKER_CONCURRENCY", Integer.toString(concurrency));
        environment.put("INVOICE_CLAIM_SECONDS", Long.toString(claim.toSeconds()));
        environment.put("INVOICE_SCHEDULE", schedule);
        environment.put("INVOICE_RETRY_FACTOR", Double.toString(retryFactor));
        environment.put("INVOICE_LEASE_SECONDS", Long.toString(lease.toSeconds()));
        return environment;
    }

    /** Shows no URL: they hold passwords. */
    @Override
    public String toString() {
        return "InvoicesConfig[" + prefix + "]";
    }
}
