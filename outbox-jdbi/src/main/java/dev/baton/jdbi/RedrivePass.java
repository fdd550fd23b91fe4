package dev.baton.jdbi;

import dev.baton.deadletter.LetterPage.Cursor;
import dev.baton.deadletter.StoredLetter;
import dev.baton.internal.Pass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** One batch of each run that nobody else is at, each in a transaction of its own: a run that fails holds up no other. */
final class RedrivePass implements Pass {
    private static final Duration IDLE = Duration.ofSeconds(2);

    private final Jdbi jdbi;
    private final OutboxTables tables;
    private final RedriveBatch batch;
    private final Consumer<RuntimeException> failed;
    private final BooleanSupplier stopping;

    /**
     * @param failed is told of a run that failed while another one went on
     * @param stopping whether to begin no further batch
     */
    RedrivePass(
            Jdbi jdbi,
            OutboxTables tables,
            RedriveBatch batch,
            Consumer<RuntimeException> failed,
            BooleanSupplier stopping) {
        this.jdbi = jdbi;
        this.tables = tables;
        this.batch = batch;
        this.failed = failed;
        this.stopping = stopping;
    }

    /** @throws RuntimeException if every run failed */
    @Override
    public Duration run() {
        List<Duration> rests = new ArrayList<>(List.of(IDLE));
        RuntimeException failure = null;
        for (UUID run : running()) {
            if (stopping.getAsBoolean()) {
                break;
            }
            try {
                rests.add(pass(run));
            } catch (RuntimeException e) {
                failure = new IllegalStateException("redrive " + run + " failed; cancel it if that does not end", e);
            }
        }
        if (failure != null) {
            if (rests.size() == 1) {
                throw failure;
            }
            failed.accept(failure);
        }
        return Collections.min(rests);
    }

    private List<UUID> running() {
        try (Handle handle = BoundedHandle.open(jdbi)) {
            return RedriveRun.running(handle, tables);
        }
    }

    private Duration pass(UUID id) {
        try (Handle handle = BoundedHandle.open(jdbi)) {
            return handle.inTransaction(transaction -> RedriveRun.lock(transaction, tables, id)
                    .map(run -> pass(transaction, run))
                    .orElse(IDLE));
        }
    }

    private Duration pass(Handle transaction, RedriveRun run) {
        int due = run.due();
        boolean limitReached = run.order().limit() != null
                && run.progress().redriven() >= run.order().limit();
        if (due == 0 && !limitReached) {
            return run.rest();
        }
        List<StoredLetter> letters = limitReached ? List.of() : batch.letters(transaction, run, due);
        int sent = batch.send(transaction, run, letters);
        StoredLetter last = letters.isEmpty() ? null : letters.get(letters.size() - 1);
        Cursor behind = last == null ? null : new Cursor(last.letter().diedAt(), last.id());
        run.advance(transaction, tables, sent, letters.size() - sent, behind, letters.isEmpty());
        return letters.isEmpty() ? Duration.ZERO : run.rest();
    }
}
