package dev.baton.jdbi;

import dev.baton.outbox.Event;
import dev.baton.relay.Delivery;
import dev.baton.relay.ExactSink;
import dev.baton.relay.SinkAnswer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An exact sink in plain Java, in chunks of {@value #CHUNK}, with what a test needs: it can fail before or after any chunk, and
 * go back in time. Nothing but its memory recognises a repeat.
 */
final class MemorySink implements ExactSink {
    static final int CHUNK = 3;

    private final String name;
    private final List<Event> taken = new ArrayList<>();
    private final Map<String, State> states = new HashMap<>();
    private @Nullable Saved saved;

    /** Called before and after each chunk; may throw. */
    Runnable between = () -> {};

    /** What the sink objects to. */
    Predicate<Event> bad = event -> false;

    MemorySink(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    /** All that it holds, in the order of arrival. */
    synchronized List<Event> taken() {
        return List.copyOf(taken);
    }

    synchronized List<String> topics() {
        return taken.stream().map(Event::topic).toList();
    }

    synchronized void save() {
        saved = new Saved(List.copyOf(taken), copy(states));
    }

    synchronized void goBack() {
        Saved to = saved == null ? new Saved(List.of(), Map.of()) : saved;
        taken.clear();
        taken.addAll(to.taken);
        states.clear();
        states.putAll(copy(to.states));
    }

    synchronized void flush() {
        taken.clear();
        states.clear();
    }

    @Override
    public @Nullable String objection(Delivery delivery) {
        return bad.test(delivery.event()) ? "it is bad" : null;
    }

    @Override
    public List<SinkAnswer> accept(List<Delivery> deliveries) {
        throw new IllegalStateException("an exact sink is handed batches");
    }

    @Override
    public synchronized Memory memory(String owner) {
        State state = states.get(owner);
        if (state == null) {
            return Memory.NONE;
        }
        Set<UUID> ids = new LinkedHashSet<>(state.older);
        ids.addAll(state.ids);
        return new Memory(state.number, state.chunks, state.complete, List.copyOf(ids));
    }

    @Override
    public Optional<Memory> handOver(Batch batch) {
        List<Delivery> all = batch.deliveries();
        int chunks = Math.max(1, (all.size() + CHUNK - 1) / CHUNK);
        for (int i = 0; i < chunks; i++) {
            between.run();
            List<Delivery> some = all.subList(i * CHUNK, Math.min(all.size(), (i + 1) * CHUNK));
            if (!take(batch, some, i, i == chunks - 1)) {
                return Optional.empty();
            }
            between.run();
        }
        return Optional.of(memory(batch.owner()));
    }

    private synchronized boolean take(Batch batch, List<Delivery> some, int chunk, boolean last) {
        State state = states.computeIfAbsent(batch.owner(), owner -> new State());
        boolean mine = state.number == batch.number() && state.chunks >= chunk;
        boolean first = chunk == 0
                && state.number == batch.known().number()
                && state.chunks == batch.known().chunks();
        if (!mine && !first) {
            return false;
        }
        if (!mine) {
            state.older.addAll(state.ids);
            state.ids.clear();
            state.chunks = 0;
        }
        for (Delivery delivery : some) {
            UUID id = delivery.event().id();
            if (!state.older.contains(id) && !state.ids.contains(id)) {
                taken.add(delivery.event());
            }
            state.ids.add(id);
        }
        state.number = batch.number();
        state.chunks = Math.max(state.chunks, chunk + 1);
        if (last) {
            state.ids.addAll(batch.keep());
            state.older.clear();
            state.complete = batch.complete();
        }
        return true;
    }

    private static Map<String, State> copy(Map<String, State> states) {
        Map<String, State> copy = new LinkedHashMap<>();
        states.forEach((owner, state) -> copy.put(owner, state.copy()));
        return copy;
    }

    private record Saved(List<Event> taken, Map<String, State> states) {}

    private static final class State {
        private long number;
        private int chunks;
        private long complete;
        private final Collection<UUID> ids = new LinkedHashSet<>();
        private final Collection<UUID> older = new LinkedHashSet<>();

        private State copy() {
            State copy = new State();
            copy.number = number;
            copy.chunks = chunks;
            copy.complete = complete;
            copy.ids.addAll(ids);
            copy.older.addAll(older);
            return copy;
        }
    }
}
