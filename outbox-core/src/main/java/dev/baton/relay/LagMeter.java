package dev.baton.relay;

import dev.baton.outbox.Lag;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks how far the outbox is behind, and no more often than the database bears. Thread-safe. */
final class LagMeter {
    private static final long QUICK_NANOS = 50_000_000;
    private static final int REST = 20;

    private final Supplier<Lag> store;
    private @Nullable Lag last;
    private long goodUntil;

    LagMeter(Supplier<Lag> store) {
        this.store = store;
    }

    synchronized Lag get() {
        Lag known = last;
        long began = System.nanoTime();
        if (known != null && began - goodUntil < 0) {
            return known;
        }
        Lag asked = store.get();
        long ended = System.nanoTime();
        long took = ended - began;
        last = asked;
        goodUntil = took < QUICK_NANOS ? ended : ended + REST * took;
        return asked;
    }
}
