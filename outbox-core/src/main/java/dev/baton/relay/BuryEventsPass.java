package dev.baton.relay;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import dev.baton.failure.DeathReason;
import dev.baton.internal.Json;
import dev.baton.internal.Pass;
import dev.baton.outbox.DeadEvent;
import dev.baton.outbox.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Makes dead letters of refused events whose budget is spent. First the letter is stored, then the event leaves: a crash in
 * between repeats the letter, which changes nothing. It has no connection open while the other store works, so that a pool
 * of few connections is enough.
 */
final class BuryEventsPass implements Pass {
    /** The queue that dead letters of refused events name. */
    static final String ORIGIN = "outbox";

    private static final int LIMIT = 100;
    // A relay that refuses an event nudges; this is for what a dead one has left.
    private static final Duration REST = Duration.ofSeconds(30);

    private final OutboxStore store;
    private final DeadLetterStore letters;
    private final int attempts;

    BuryEventsPass(OutboxStore store, DeadLetterStore letters, int attempts) {
        this.store = store;
        this.letters = letters;
        this.attempts = attempts;
    }

    @Override
    public Duration run() {
        List<DeadEvent> dead = store.dead(LIMIT);
        if (dead.isEmpty()) {
            return REST;
        }
        letters.bury(dead.stream().map(this::letter).toList());
        store.buried(dead);
        return dead.size() == LIMIT ? Duration.ZERO : REST;
    }

    private DeadLetter letter(DeadEvent dead) {
        return new DeadLetter(
                ORIGIN,
                dead.event().id().toString(),
                dead.event().topic(),
                dead.event().payload(),
                headers(dead),
                DeathReason.ATTEMPTS,
                null,
                dead.reason(),
                null,
                attempts,
                attempts,
                dead.firstFailureAt(),
                dead.lastFailureAt());
    }

    /** Headers that cannot be read may be why the event is dead. */
    private static Map<String, String> headers(DeadEvent dead) {
        try {
            return Json.readStrings(dead.event().headers());
        } catch (RuntimeException e) {
            return Map.of();
        }
    }
}
