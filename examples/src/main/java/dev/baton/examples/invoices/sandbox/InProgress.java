package dev.baton.examples.invoices.sandbox;

import dev.baton.examples.sandbox.FaultyCalls.Act;
import dev.baton.examples.web.Answer;
import java.util.HashMap;
import java.util.Map;

/** Notices calls that overlap. Thread-safe. */
final class InProgress {
    private final Map<String, Integer> calls = new HashMap<>();
    private int overlaps;

    /** Does what a call for this order asks for. */
    Answer during(String order, Act act) throws InterruptedException {
        enter(order);
        try {
            return act.act();
        } finally {
            leave(order);
        }
    }

    /** How often a call began while another one for its order was in progress. */
    synchronized int overlaps() {
        return overlaps;
    }

    private synchronized void enter(String order) {
        if (calls.merge(order, 1, Integer::sum) > 1) {
            overlaps++;
        }
    }

    private synchronized void leave(String order) {
        calls.merge(order, -1, (now, less) -> now + less == 0 ? null : now + less);
    }
}
