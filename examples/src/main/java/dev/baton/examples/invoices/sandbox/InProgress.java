package dev.baton.examples.invoices.sandbox;

import java.util.HashMap;
import java.util.Map;

/** Notices calls that overlap. Thread-safe. */
final class InProgress {
    private final Map<String, Integer> calls = new HashMap<>();
    private int overlaps;

    /** A call for this order begins. */
    synchronized void enter(String order) {
        if (calls.merge(order, 1, Integer::sum) > 1) {
            overlaps++;
        }
    }

    /** A call for this order ends. */
    synchronized void leave(String order) {
        calls.merge(order, -1, (now, less) -> now + less == 0 ? null : now + less);
    }

    /** How often a call began while another one for its order was in progress. */
    synchronized int overlaps() {
        return overlaps;
    }
}
