package dev.baton.relay;

import dev.baton.outbox.OutboxShard.Turn;
import dev.baton.relay.ExactSink.Batch;
import dev.baton.relay.ExactSink.Memory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Numbers for batches, and what a queue gets under one of them: steps 4 and 5 of {@link HandOver}. */
final class Batches {
    private static final Logger log = LoggerFactory.getLogger(Batches.class);

    private final Memories memories;

    Batches(Memories memories) {
        this.memories = memories;
    }

    /** A new one. A database restored from a backup would draw numbers again that the queues have seen. */
    long number(Turn turn) {
        long number = turn.number();
        long highest = memories.highest();
        if (number <= highest) {
            log.warn(
                    "the queues remember batch {}, the database is at {}: it was restored, or the queues have the memory"
                            + " of another one; numbers go on above",
                    highest,
                    number);
            turn.liftNumbers(highest);
            number = turn.number();
        }
        return number;
    }

    /**
     * Gives a queue its part.
     *
     * @param taken gets what the queue remembers then
     * @return false if somebody else was here: nothing is known any more
     */
    boolean give(
            ExactSink sink,
            long number,
            long complete,
            List<Delivery> deliveries,
            Collection<UUID> keep,
            Map<ExactSink, Memory> taken) {
        Batch batch = new Batch(memories.owner(), memories.of(sink), number, complete, deliveries, keep);
        Optional<Memory> memory = sink.handOver(batch);
        if (memory.isEmpty()) {
            log.info("{} was given a batch by another relay; starting again from what it remembers", sink.name());
            memories.forget();
            return false;
        }
        taken.put(sink, memory.get());
        return true;
    }
}
