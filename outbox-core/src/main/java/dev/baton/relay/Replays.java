package dev.baton.relay;

import dev.baton.outbox.OutboxShard.Turn;
import dev.baton.outbox.StoredEvent;
import dev.baton.relay.ExactSink.Memory;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Events that an operator wants handed over once more. Such an event has a number that is higher than that of any batch it was
 * part of: a queue that remembers it from one of those has to forget it first, or it would be taken for an unsettled one.
 */
final class Replays {
    private final Memories memories;
    private final Batches batches;

    Replays(Memories memories, Batches batches) {
        this.memories = memories;
        this.batches = batches;
    }

    /**
     * Makes the queues forget those of these events that were replayed, in one step each, in which nothing is handed over.
     *
     * @return whether there was such a queue: then the turn is over, and the next one asks what is remembered
     */
    boolean forget(Turn turn, List<StoredEvent> events) {
        List<StoredEvent> replayed =
                events.stream().filter(event -> event.batch() > 0).toList();
        if (replayed.isEmpty()) {
            return false;
        }
        boolean told = false;
        for (ExactSink sink : memories.sinks()) {
            Memory memory = memories.of(sink);
            Set<UUID> old = memories.remembered(
                    sink,
                    replayed.stream()
                            .filter(event -> event.batch() > memory.number())
                            .toList());
            if (!old.isEmpty()) {
                Set<UUID> others = new HashSet<>(memory.ids());
                others.removeAll(old);
                Map<ExactSink, Memory> taken = new LinkedHashMap<>();
                if (!batches.give(sink, batches.number(turn), memory.complete(), List.of(), others, taken)) {
                    return true;
                }
                taken.forEach(memories::put);
                told = true;
            }
        }
        if (told) {
            memories.forget();
        }
        return told;
    }
}
