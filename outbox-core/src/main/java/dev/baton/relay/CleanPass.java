package dev.baton.relay;

import dev.baton.internal.Pass;
import dev.baton.outbox.OutboxStore;
import java.time.Duration;

/** Deletes published events that are older than the retention, a batch at a time. */
final class CleanPass implements Pass {
    private static final int LIMIT = 1_000;
    private static final Duration REST = Duration.ofMinutes(1);
    private static final Duration BETWEEN_BATCHES = Duration.ofMillis(20);

    private final OutboxStore store;
    private final Duration retention;

    CleanPass(OutboxStore store, Duration retention) {
        this.store = store;
        this.retention = retention;
    }

    @Override
    public Duration run() {
        return store.clean(retention, LIMIT) == LIMIT ? BETWEEN_BATCHES : REST;
    }
}
