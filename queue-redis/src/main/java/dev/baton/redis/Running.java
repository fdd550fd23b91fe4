package dev.baton.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that a worker holds, by their leases. Who waits for them to end finds each one either still here, or settled
 * already: never in between. Thread-safe.
 */
final class Running {
    private final Map<Lease, Attempt> attempts = new ConcurrentHashMap<>();
    /** So many are no longer here, and not settled yet. */
    private final AtomicInteger ending = new AtomicInteger();

    void add(Attempt attempt) {
        attempts.put(attempt.lease(), attempt);
    }

    boolean has(Attempt attempt) {
        return attempts.containsKey(attempt.lease());
    }

    /** Null if it has ended. */
    @Nullable
    Attempt find(Lease lease) {
        return attempts.get(lease);
    }

    int count() {
        return attempts.size();
    }

    /** Those of this moment. */
    List<Attempt> all() {
        return List.copyOf(attempts.values());
    }

    /** Of these, those whose handler has begun. */
    Stream<Attempt> begun() {
        return attempts.values().stream().filter(Attempt::begun);
    }

    /**
     * Only the first end of an attempt counts.
     *
     * @param settle not called for a later one
     */
    void end(Attempt attempt, Runnable settle) {
        ending.incrementAndGet();
        try {
            if (attempts.remove(attempt.lease()) != null) {
                settle.run();
            }
        } finally {
            ending.decrementAndGet();
            synchronized (attempts) {
                attempts.notifyAll();
            }
        }
    }

    /** Waits for the moment in which all that have left are settled; that takes no network. */
    void awaitSettled() {
        while (ending.get() > 0) {
            Thread.onSpinWait();
        }
    }

    /**
     * Waits until the handlers that have begun have returned, and their ends are settled.
     *
     * @return true if no handler runs any more
     */
    boolean awaitIdle(Duration longest) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        synchronized (attempts) {
            while (begun().findAny().isPresent() || ending.get() > 0) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return false;
                }
                attempts.wait(left);
            }
        }
        return true;
    }
}
