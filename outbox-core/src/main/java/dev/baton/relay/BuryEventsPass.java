package dev.baton.relay;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import dev.baton.failure.DeathReason;
import dev.baton.internal.Headers;
import dev.baton.internal.Json;
import dev.baton.internal.Pass;
import dev.baton.outbox.DeadEvent;
import dev.baton.outbox.OutboxStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes dead letters of refused events whose budget is spent. First the letter is stored, then the event leaves: a crash in
 * between repeats the letter, which changes nothing. It has no connection open while the other store works, so that a pool
 * of few connections is enough.
 */
final class BuryEventsPass implements Pass {
    private static final Logger log = LoggerFactory.getLogger(BuryEventsPass.class);

    private static final int LIMIT = 100;
    private static final int MOST_PASSED_OVER = 1_000;
    // A relay that refuses an event nudges; this is for what a dead one has left.
    private static final Duration REST = Duration.ofSeconds(30);

    private final OutboxStore store;
    private final DeadLetterStore letters;
    private final int attempts;
    /** So many in front were refused by the letters' store; they are tried again when the end was reached. */
    private int refused;

    BuryEventsPass(OutboxStore store, DeadLetterStore letters, int attempts) {
        this.store = store;
        this.letters = letters;
        this.attempts = attempts;
    }

    @Override
    public Duration run() {
        List<DeadEvent> all = store.dead(LIMIT + refused);
        List<DeadEvent> dead = all.subList(Math.min(refused, all.size()), all.size());
        boolean more = dead.size() == LIMIT;
        // Also if this throws; but not without end, as all that is passed over is read.
        refused = more && refused < MOST_PASSED_OVER ? refused + LIMIT : 0;
        if (dead.isEmpty()) {
            return REST;
        }
        Set<String> kept = new HashSet<>();
        letters.buryEach(dead.stream().map(this::letter).toList()).forEach(letter -> kept.add(letter.jobId()));
        List<DeadEvent> buried = dead.stream()
                .filter(event -> kept.contains(event.event().id().toString()))
                .toList();
        store.buried(buried);
        if (buried.size() < dead.size()) {
            log.warn(
                    "{} of {} dead events were refused by the dead-letter store",
                    dead.size() - buried.size(),
                    dead.size());
        }
        refused = more ? Math.max(0, refused - buried.size()) : 0;
        return more ? Duration.ZERO : REST;
    }

    private DeadLetter letter(DeadEvent dead) {
        return new DeadLetter(
                DeadEvent.ORIGIN,
                dead.event().id().toString(),
                dead.event().topic(),
                dead.event().payload(),
                headers(dead),
                dead.event().attempts() < attempts ? DeathReason.PERMANENT : DeathReason.ATTEMPTS,
                null,
                dead.reason(),
                null,
                dead.event().attempts(),
                dead.event().attempts(),
                dead.firstFailureAt(),
                dead.lastFailureAt());
    }

    /** Its own, unless they cannot be read, which may be why it is dead; and its aggregate. */
    private static Map<String, String> headers(DeadEvent dead) {
        Map<String, String> headers = new LinkedHashMap<>();
        try {
            headers.putAll(Json.readStrings(dead.event().headers()));
        } catch (RuntimeException e) {
            // Then it has none.
        }
        String aggregate = dead.event().aggregateId();
        if (Headers.fault(aggregate) == null) {
            headers.put(DeadEvent.AGGREGATE_ID, aggregate);
        }
        return headers;
    }
}
