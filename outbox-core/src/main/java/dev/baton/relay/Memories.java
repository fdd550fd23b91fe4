package dev.baton.relay;

import dev.baton.outbox.StoredEvent;
import dev.baton.relay.ExactSink.Memory;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What the sinks remember of one shard, as far as this relay knows: it made the last pass itself, or has read it. Anything
 * unexpected makes it forget, and then the sinks are asked again.
 */
final class Memories {
    private final String owner;
    private final List<ExactSink> sinks;
    private final Map<ExactSink, Memory> known = new LinkedHashMap<>();
    private final Map<ExactSink, Set<UUID>> kept = new HashMap<>();
    private boolean certain;

    Memories(String owner, Collection<? extends Sink> sinks) {
        this.owner = owner;
        this.sinks = sinks.stream()
                .filter(ExactSink.class::isInstance)
                .map(ExactSink.class::cast)
                .toList();
    }

    String owner() {
        return owner;
    }

    List<ExactSink> sinks() {
        return sinks;
    }

    /** Whether nothing has to be read, redone or healed, because this relay made the last pass itself. */
    boolean certain() {
        return certain;
    }

    void becomeCertain() {
        certain = true;
    }

    void forget() {
        certain = false;
        known.clear();
        kept.clear();
    }

    /** What a sink remembers; asked if it is not known. */
    Memory of(ExactSink sink) {
        return known.computeIfAbsent(sink, asked -> asked.memory(owner));
    }

    /** Ids that the sink has to go on remembering, whatever it is given. */
    Set<UUID> kept(ExactSink sink) {
        return kept.getOrDefault(sink, Set.of());
    }

    void put(ExactSink sink, Memory memory) {
        known.put(sink, memory);
    }

    /**
     * Those of these events that a sink remembers it goes on remembering.
     *
     * @return whether there is one
     */
    boolean keep(List<StoredEvent> events) {
        boolean any = false;
        for (ExactSink sink : events.isEmpty() ? List.<ExactSink>of() : sinks) {
            Set<UUID> ids = remembered(sink, events);
            if (!ids.isEmpty()) {
                kept.computeIfAbsent(sink, none -> new HashSet<>()).addAll(ids);
                any = true;
            }
        }
        return any;
    }

    /** The ids of those of these events that the sink remembers; the caller's own. */
    Set<UUID> remembered(ExactSink sink, List<StoredEvent> events) {
        Set<UUID> ids = new HashSet<>(of(sink).ids());
        ids.retainAll(ids(events));
        return ids;
    }

    /** These are published: nobody needs the memory of them for longer than that of any batch. */
    void settled(Collection<StoredEvent> events) {
        if (!kept.isEmpty()) {
            Set<UUID> ids = ids(events);
            kept.values().forEach(some -> some.removeAll(ids));
            kept.values().removeIf(Set::isEmpty);
        }
    }

    /** The highest number that a sink remembers. */
    long highest() {
        return sinks.stream().mapToLong(sink -> of(sink).number()).max().orElse(0);
    }

    /** All ids that a sink remembers. */
    Set<UUID> ids() {
        Set<UUID> ids = new LinkedHashSet<>();
        sinks.forEach(sink -> ids.addAll(of(sink).ids()));
        return ids;
    }

    /** Asks all sinks, and forgets what is known if one of them remembers another number. */
    void verify() {
        for (ExactSink sink : sinks) {
            if (certain && !of(sink).sameAs(sink.memory(owner))) {
                forget();
            }
        }
    }

    private static Set<UUID> ids(Collection<StoredEvent> events) {
        return events.stream().map(StoredEvent::id).collect(Collectors.toSet());
    }
}
