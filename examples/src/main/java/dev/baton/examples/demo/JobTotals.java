package dev.baton.examples.demo;

import dev.baton.redis.QueueCounts;
import dev.baton.redis.QueueTotals;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** How often what happened to jobs, in all queues together. */
public final class JobTotals {
    private JobTotals() {}

    /** By the name of what happened. */
    public static Map<String, Long> of(List<QueueCounts> counts) {
        Map<String, Long> totals = new LinkedHashMap<>();
        totals.put("completed", sum(counts, QueueTotals::completed));
        totals.put("retried", sum(counts, QueueTotals::retried));
        totals.put("postponed", sum(counts, QueueTotals::postponed));
        totals.put("throttled", sum(counts, QueueTotals::throttled));
        totals.put("reclaimed", sum(counts, QueueTotals::reclaimed));
        totals.put("buried", sum(counts, QueueTotals::buried));
        return totals;
    }

    private static long sum(List<QueueCounts> counts, ToLongFunction<QueueTotals> part) {
        return counts.stream().map(QueueCounts::totals).mapToLong(part).sum();
    }
}
