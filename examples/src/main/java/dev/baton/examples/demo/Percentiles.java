package dev.baton.examples.demo;

import java.util.Collection;
import java.util.List;

/**
 * How long something took, in milliseconds.
 *
 * @param samples how often it was measured
 */
public record Percentiles(int samples, double p50, double p99) {
    /** Of these, in nanoseconds. */
    public static Percentiles of(Collection<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return new Percentiles(sorted.size(), percentile(sorted, 50), percentile(sorted, 99));
    }

    private static double percentile(List<Long> sorted, int percent) {
        if (sorted.isEmpty()) {
            return 0;
        }
        int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
        return Math.round(sorted.get(Math.max(0, rank - 1)) / 100_000.0) / 10.0;
    }
}
