package dev.baton.relay;

import dev.baton.failure.RetryPolicy;
import dev.baton.outbox.OutboxShard.Refused;
import dev.baton.outbox.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes deliveries of events, and finds out what cannot go: before any sink with a memory has seen it. */
final class Sorter {
    private static final Logger log = LoggerFactory.getLogger(Sorter.class);

    private final Routes routes;
    private final RetryPolicy retry;

    Sorter(Routes routes, RetryPolicy retry) {
        this.routes = routes;
        this.retry = retry;
    }

    /**
     * What becomes of a batch. Sinks without a memory have accepted their part of {@code going} already.
     *
     * @param budget how long they may take
     */
    Sorted sort(List<StoredEvent> events, Duration budget) {
        Sorted sorted = new Sorted();
        for (StoredEvent event : events) {
            if (!sorted.holds(event)) {
                prepare(event, sorted);
            }
        }
        new PlainSinks(this).handOver(sorted, budget);
        sorted.holdSuccessors();
        return sorted;
    }

    private void prepare(StoredEvent event, Sorted sorted) {
        List<Delivery> deliveries = new ArrayList<>();
        List<Sink> sinks = new ArrayList<>();
        try {
            for (Route route : routes.of(event.topic())) {
                if (!route.takes(event.event())) {
                    continue;
                }
                Delivery delivery = route.delivery(event.event());
                String objection = route.sink().objection(delivery);
                if (objection != null) {
                    refuse(event, new SinkAnswer.Rejected(route.sink().name() + ": " + objection), Set.of(), sorted);
                    return;
                }
                sinks.add(route.sink());
                deliveries.add(delivery);
            }
            sorted.going.put(event, new Parcel(sinks, deliveries));
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            // What a mapping throws for one event; a JVM out of memory would fail for any. Checked exceptions too:
            // Kotlin
            // has none. Only the class: the message may hold payload data.
            SinkAnswer.Rejected answer = new SinkAnswer.Rejected(
                    "it cannot be mapped (" + e.getClass().getName() + ")");
            refuse(event, answer, Set.of(), sorted);
        }
    }

    /** A delivery that a sink is to get once more; empty, and logged, if there is none any more. */
    Optional<Delivery> deliver(StoredEvent event, Route route) {
        try {
            if (!route.takes(event.event())) {
                return Optional.empty();
            }
            Delivery delivery = route.delivery(event.event());
            String objection = route.sink().objection(delivery);
            if (objection == null) {
                return Optional.of(delivery);
            }
            log.warn("{} is not handed over again: {}: {}", event, route.sink().name(), objection);
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            log.warn(
                    "{} is not handed over again: it cannot be mapped ({})",
                    event,
                    e.getClass().getName());
        }
        return Optional.empty();
    }

    void refuse(StoredEvent event, SinkAnswer.Rejected answer, Set<String> accepted, Sorted sorted) {
        int attempts = event.attempts() + 1;
        String reason = answer.reason();
        boolean spent = answer.forGood() || attempts >= retry.attempts();
        Duration delay =
                spent ? null : longer(answer.delay(), retry.backoff().delay(attempts, ThreadLocalRandom.current()));
        log.warn("{} was refused (attempt {} of {}): {}", event, attempts, retry.attempts(), reason);
        boolean blocks = routes.othersWait(event.topic());
        Set<String> all = new LinkedHashSet<>(event.accepted());
        all.addAll(accepted);
        sorted.refuse(new Refused(event, reason, delay, blocks, all));
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    /** One event with all its deliveries; the two lists are side by side. */
    record Parcel(List<Sink> sinks, List<Delivery> deliveries) {
        @Nullable
        Delivery to(Sink sink) {
            int index = sinks.indexOf(sink);
            return index < 0 ? null : deliveries.get(index);
        }
    }

    /** What becomes of a batch. */
    static final class Sorted {
        final Map<StoredEvent, Parcel> going = new LinkedHashMap<>();
        final List<Refused> refused = new ArrayList<>();
        final List<StoredEvent> held = new ArrayList<>();
        /** For which there was no time. */
        final List<StoredEvent> left = new ArrayList<>();

        private final Map<String, Long> blocked = new HashMap<>();

        /** Whether an event has to wait for an earlier one that was refused in this batch; if so, it is held. */
        boolean holds(StoredEvent event) {
            Long refusedSeq = blocked.get(event.aggregateId());
            boolean holds = refusedSeq != null && refusedSeq < event.seq();
            if (holds) {
                held.add(event);
            }
            return holds;
        }

        void holdSuccessors() {
            if (!blocked.isEmpty()) {
                going.keySet().removeIf(this::holds);
            }
        }

        void refuse(Refused refusal) {
            going.remove(refusal.event());
            refused.add(refusal);
            if (refusal.blocks()) {
                blocked.merge(refusal.event().aggregateId(), refusal.event().seq(), Math::min);
            }
        }

        /** These, and what comes after one of them in its aggregate: a queue would get it before the one that is left. */
        void leave(List<StoredEvent> events) {
            Map<String, Long> first = new HashMap<>();
            for (StoredEvent event : events) {
                going.remove(event);
                if (!holds(event)) {
                    left.add(event);
                    first.merge(event.aggregateId(), event.seq(), Math::min);
                }
            }
            List<StoredEvent> successors = going.keySet().stream()
                    .filter(event -> first.getOrDefault(event.aggregateId(), Long.MAX_VALUE) < event.seq())
                    .toList();
            left.addAll(successors);
            successors.forEach(going::remove);
        }

        /** In order. */
        List<Delivery> deliveriesTo(Sink sink) {
            List<Delivery> deliveries = new ArrayList<>();
            going.values().forEach(parcel -> {
                Delivery delivery = parcel.to(sink);
                if (delivery != null) {
                    deliveries.add(delivery);
                }
            });
            return deliveries;
        }
    }
}
