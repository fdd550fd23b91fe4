package dev.baton.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The jobs that a worker holds, and the settlements that wait for the next exchange. A slot is free again as soon as the
 * handler has returned: settling and taking happen in the same exchange. Thread-safe.
 */
final class Attempts {
    private final Map<Lease, Attempt> running = new ConcurrentHashMap<>();
    private final Queue<Settlement> settlements = new ConcurrentLinkedQueue<>();
    private final Runnable nudge;
    private volatile boolean interrupting;

    /**
     * No jobs yet.
     *
     * @param nudge tells the exchange that there is something to settle
     */
    Attempts(Runnable nudge) {
        this.nudge = nudge;
    }

    void began(Attempt attempt) {
        running.put(attempt.lease(), attempt);
    }

    /** The first end counts: what was handed back at the stop is not settled again when its handler returns after all. */
    void ended(Attempt attempt, Settlement settlement) {
        if (running.remove(attempt.lease()) == null) {
            return;
        }
        settle(settlement);
        synchronized (running) {
            running.notifyAll();
        }
    }

    /** Ends a lease whose job is not started. */
    void settle(Settlement settlement) {
        settlements.add(settlement);
        nudge.run();
    }

    int running() {
        return running.size();
    }

    List<Lease> leases() {
        return List.copyOf(running.keySet());
    }

    boolean hasSettlements() {
        return !settlements.isEmpty();
    }

    List<Settlement> nextSettlements(int most) {
        List<Settlement> next = new ArrayList<>();
        while (next.size() < most) {
            Settlement settlement = settlements.poll();
            if (settlement == null) {
                break;
            }
            next.add(settlement);
        }
        return next;
    }

    /** From now on a handler that throws was interrupted by us, and its job goes back unharmed. */
    void interrupting(boolean now) {
        interrupting = now;
    }

    boolean interrupting() {
        return interrupting;
    }

    /** Hands back every job whose handler has not returned. */
    int handBackAll() {
        List<Attempt> left = new ArrayList<>(running.values());
        left.forEach(attempt -> ended(attempt, Settlement.release(attempt.lease(), Duration.ZERO)));
        return left.size();
    }

    /**
     * Waits until the handlers have returned.
     *
     * @return true if no handler runs any more
     */
    boolean awaitIdle(Duration longest) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        synchronized (running) {
            while (!running.isEmpty()) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return false;
                }
                running.wait(left);
            }
        }
        return true;
    }
}
