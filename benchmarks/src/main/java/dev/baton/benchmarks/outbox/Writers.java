package dev.baton.benchmarks.outbox;

import dev.baton.benchmarks.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Threads that record one event after the other, each in a transaction of its own. */
final class Writers implements AutoCloseable {
    private final int number;
    private final ExecutorService threads;
    private final AtomicInteger next = new AtomicInteger();

    Writers(int number) {
        this.number = number;
        this.threads = Executors.newFixedThreadPool(number);
    }

    /**
     * How many they recorded per second, for about this long.
     *
     * @param record records one payload; returns after the commit
     */
    Map<Figure, Double> write(Consumer<String> record, Duration length) throws Exception {
        int before = next.get();
        long began = System.nanoTime();
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            done.add(threads.submit(() -> {
                while (System.nanoTime() - began < length.toNanos()) {
                    record.accept(Payloads.of(next.getAndIncrement()));
                }
            }));
        }
        for (Future<?> each : done) {
            each.get();
        }
        return Map.of(Figure.EVENTS, (next.get() - before) * 1e9 / (System.nanoTime() - began));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
