package dev.baton.examples.shop.demo;

import dev.baton.examples.demo.Percentiles;
import dev.baton.examples.shop.ShopProbe;
import dev.baton.examples.shop.ShopQueues;
import dev.baton.job.Job;
import dev.baton.trace.Trace;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.MDC;

/**
 * Measures from the commit of an event to the first start of its jobs. Both ends must be in this JVM, because they are
 * taken from its monotonic clock; the correlation id tells which belong together.
 */
public final class Latency implements ShopProbe {
    private static final Set<String> OF_PLACED = Set.of(ShopQueues.CAPTURE_PAYMENT, ShopQueues.ORDER_CONFIRMATION);
    private static final Set<String> OF_CAPTURED = Set.of(ShopQueues.CREATE_SHIPMENT, ShopQueues.AWARD_POINTS);

    private final Map<String, Long> placedAt = new ConcurrentHashMap<>();
    private final Map<String, Long> capturedAt = new ConcurrentHashMap<>();
    private final Queue<Long> samples = new ConcurrentLinkedQueue<>();

    /** The API has committed an order. */
    public void placed() {
        remember(placedAt);
    }

    /** A worker has committed a capture. */
    @Override
    public void committed() {
        remember(capturedAt);
    }

    @Override
    public void started(Job job) {
        if (job.start() == 1 && OF_PLACED.contains(job.name())) {
            sample(placedAt, job);
        } else if (job.start() == 1 && OF_CAPTURED.contains(job.name())) {
            sample(capturedAt, job);
        }
    }

    /** What was measured so far. */
    public Percentiles summary() {
        return Percentiles.of(samples);
    }

    private static void remember(Map<String, Long> commits) {
        String correlationId = MDC.get(Trace.CORRELATION_ID);
        if (correlationId != null) {
            commits.put(correlationId, System.nanoTime());
        }
    }

    private void sample(Map<String, Long> commits, Job job) {
        Long committed = commits.get(job.headers().getOrDefault(Trace.CORRELATION_ID, ""));
        if (committed != null) {
            samples.add(System.nanoTime() - committed);
        }
    }
}
