package dev.baton.relay;

import static java.util.Objects.requireNonNull;

import dev.baton.outbox.StoredEvent;
import dev.baton.relay.Sorter.Parcel;
import dev.baton.relay.Sorter.Sorted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Hands over to sinks without a memory. In rounds, each with at most one event per aggregate, and no more than the slowest
 * sink takes at once: when one is refused, its successors have not been handed over yet and can wait for it; and when the
 * time is over, what has not been handed over is left for the next turn. All of a topic's plain sinks come before its exact ones, so
 * an event that is refused here was not given to any of those, unless a relay died after that: then they go on remembering it.
 */
final class PlainSinks {
    private final Sorter sorter;

    PlainSinks(Sorter sorter) {
        this.sorter = sorter;
    }

    void handOver(Sorted sorted, Duration budget) {
        long began = System.nanoTime();
        List<StoredEvent> left = sorted.going.entrySet().stream()
                .filter(entry -> entry.getValue().sinks().stream().anyMatch(sink -> isPlain(sink, entry.getKey())))
                .map(Map.Entry::getKey)
                .toList();
        int most = largestBatch(left, sorted);
        while (!left.isEmpty()) {
            if (System.nanoTime() - began > budget.toNanos()) {
                sorted.leave(left);
                return;
            }
            left = round(left, most, sorted);
        }
    }

    private static int largestBatch(List<StoredEvent> events, Sorted sorted) {
        return events.stream()
                .flatMap(event -> parcel(sorted, event).sinks().stream().filter(sink -> isPlain(sink, event)))
                .mapToInt(Sink::largestBatch)
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    private List<StoredEvent> round(List<StoredEvent> events, int most, Sorted sorted) {
        List<StoredEvent> later = new ArrayList<>();
        Set<String> aggregates = new HashSet<>();
        Map<Sink, List<StoredEvent>> now = new LinkedHashMap<>();
        for (StoredEvent event : events) {
            if (sorted.holds(event)) {
                sorted.going.remove(event);
            } else if (aggregates.size() < most && aggregates.add(event.aggregateId())) {
                parcel(sorted, event).sinks().stream()
                        .filter(sink -> isPlain(sink, event))
                        .forEach(sink -> now.computeIfAbsent(sink, s -> new ArrayList<>())
                                .add(event));
            } else {
                later.add(event);
            }
        }
        refuse(answers(now, sorted), sorted);
        return later;
    }

    private Map<StoredEvent, Said> answers(Map<Sink, List<StoredEvent>> now, Sorted sorted) {
        Map<StoredEvent, Said> said = new LinkedHashMap<>();
        now.forEach((sink, events) -> {
            List<Delivery> deliveries = events.stream()
                    .map(event -> parcel(sorted, event).to(sink))
                    .map(Objects::requireNonNull)
                    .toList();
            List<SinkAnswer> answers = sink.accept(deliveries);
            if (answers.size() != deliveries.size()) {
                throw new IllegalStateException("sink " + sink.name() + " gave " + answers.size() + " answers to "
                        + deliveries.size() + " deliveries; it must give one each");
            }
            for (int i = 0; i < answers.size(); i++) {
                said.computeIfAbsent(events.get(i), e -> new Said()).add(sink, answers.get(i));
            }
        });
        return said;
    }

    private void refuse(Map<StoredEvent, Said> said, Sorted sorted) {
        said.forEach((event, answers) -> answers.rejections.forEach((sink, no) -> {
            if (sorted.going.containsKey(event)) {
                SinkAnswer.Rejected named =
                        new SinkAnswer.Rejected(sink + ": " + no.reason(), no.forGood(), no.delay());
                sorter.refuse(event, named, answers.accepted, sorted);
            }
        }));
    }

    private static Parcel parcel(Sorted sorted, StoredEvent event) {
        return requireNonNull(sorted.going.get(event));
    }

    private static boolean isPlain(Sink sink, StoredEvent event) {
        return !(sink instanceof ExactSink) && !event.accepted().contains(sink.name());
    }

    /** What the plain sinks said to one event. */
    private static final class Said {
        private final Set<String> accepted = new LinkedHashSet<>();
        private final Map<String, SinkAnswer.Rejected> rejections = new HashMap<>();

        void add(Sink sink, SinkAnswer answer) {
            if (answer instanceof SinkAnswer.Rejected no) {
                rejections.put(sink.name(), no);
            } else {
                accepted.add(sink.name());
            }
        }
    }
}
