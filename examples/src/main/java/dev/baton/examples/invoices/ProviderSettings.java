package dev.baton.examples.invoices;

import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * How often an issuance is tried, by provider, as the table {@code providers} says. Read once per process: a change holds
 * after a restart, for jobs that are enqueued from then on. Thread-safe.
 */
public final class ProviderSettings {
    private static final String ALL = "SELECT code, max_retry_count, retry_delay_minutes FROM providers";

    private final Map<String, RetryPolicy> policies = new ConcurrentHashMap<>();

    private ProviderSettings() {}

    /**
     * Reads them.
     *
     * @param factor by which the waits are multiplied; 1 but for a demonstration
     */
    public static ProviderSettings read(Jdbi jdbi, double factor) {
        ProviderSettings settings = new ProviderSettings();
        jdbi.useHandle(handle -> handle.createQuery(ALL)
                .map((row, context) -> Map.entry(
                        row.getString("code"),
                        policy(
                                row.getInt("max_retry_count"),
                                (Integer[]) row.getArray("retry_delay_minutes").getArray(),
                                factor)))
                .forEach(each -> settings.policies.put(each.getKey(), each.getValue())));
        return settings;
    }

    /** How often issuances at this provider are tried; null for one that is not known, which leaves it to the worker. */
    public @Nullable RetryPolicy retry(String provider) {
        return policies.get(provider);
    }

    /** So many retries after so many minutes; the first attempt is none of them. */
    static RetryPolicy policy(int retries, Integer[] minutes, double factor) {
        return RetryPolicy.DEFAULT
                .withAttempts(1 + retries)
                .withBackoff(Backoff.delays(Arrays.stream(minutes)
                        .map(wait -> Duration.ofMillis(
                                Math.round(Duration.ofMinutes(wait).toMillis() * factor)))
                        .toList()));
    }
}
