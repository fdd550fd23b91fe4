package dev.baton.relay;

import dev.baton.outbox.OutboxShard.Turn;
import dev.baton.outbox.StoredEvent;
import dev.baton.relay.ExactSink.Memory;
import dev.baton.relay.Losses.Loss;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives queues back what they lost, step by step; why that is safe, {@link HandOver} says. */
final class Healing {
    private static final Logger log = LoggerFactory.getLogger(Healing.class);

    private final Losses losses;
    private final Memories memories;
    private final Batches batches;

    Healing(Losses losses, Memories memories, Batches batches) {
        this.losses = losses;
        this.memories = memories;
        this.batches = batches;
    }

    /**
     * One step, if a queue lacks something. Nothing changes in the database, so there is nothing to commit.
     *
     * @param unsettled goes on being remembered
     */
    Optional<PassResult> run(Turn turn, List<StoredEvent> unsettled) {
        return losses.first(turn).map(loss -> heal(turn, loss, unsettled));
    }

    /** Nothing came of the last step. */
    void failed() {
        losses.failed();
    }

    private PassResult heal(Turn turn, Loss loss, List<StoredEvent> unsettled) {
        ExactSink sink = loss.sink();
        int missing = loss.missing().size();
        long number = batches.number(turn);
        long complete = loss.more() ? loss.upTo() : number;
        Set<UUID> keep = memories.remembered(sink, unsettled);
        // A stopped relay may have handed over what is lacking in part; a later step must find that remembered.
        keep.addAll(turn.publishedAfter(complete, memories.of(sink).ids()));
        Map<ExactSink, Memory> taken = new LinkedHashMap<>();
        if (batches.give(sink, number, complete, losses.deliveries(loss), keep, taken)) {
            taken.forEach(memories::put);
            if (missing > 0) {
                log.warn(
                        "{} lost data: {} events were handed over again, up to batch {}{}",
                        sink.name(),
                        missing,
                        complete,
                        loss.more() ? "; there is more" : "");
            }
        }
        return new PassResult(false, 0, missing, 0, true);
    }
}
