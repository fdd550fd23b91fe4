package dev.baton.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The ends of jobs that wait for an exchange, and those that are under way in one. Thread-safe. */
final class Ends {
    private final Queue<End> waiting = new ConcurrentLinkedQueue<>();
    private final Map<Lease, End> untold = new ConcurrentHashMap<>();

    void add(End end) {
        waiting.add(end);
    }

    boolean any() {
        return !waiting.isEmpty();
    }

    /** How many wait; counts them one by one. */
    int count() {
        return waiting.size();
    }

    /** For the next exchange, at most so many. */
    List<Settlement> next(int most) {
        List<Settlement> next = new ArrayList<>();
        while (next.size() < most) {
            End end = waiting.poll();
            if (end == null) {
                break;
            }
            untold.put(end.settlement().lease(), end);
            next.add(end.settlement());
        }
        return next;
    }

    /** The end of this lease, on which the queue has given its verdict; null if there is none. */
    @Nullable
    End answered(Lease lease) {
        return untold.remove(lease);
    }
}
