package dev.baton.jdbi;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Makes published events unpublished, in steps, each a transaction of its own on a handle of its own: {@code
 * jdbi.inTransaction} would join a transaction that the caller has open.
 *
 * <p>No relay has a turn during a step. So whatever a queue remembers has a lower number than the step's, or a higher one, and
 * then it was handed over after it.
 */
final class ReplayRun {
    private static final int EVENTS = 500;
    private static final int ROWS = 10_000;

    private static final String LAST =
            "SELECT coalesce(max(batch), 0) FROM outbox_events WHERE published_at IS NOT NULL";

    // By batch, so that a step begins where the last one ended: at the last row that was wanted if there may be more of
    // them
    // among those looked at, or else at the last of these.
    private static final String STEP = """
            WITH looked AS MATERIALIZED (
              SELECT id, batch, seq, topic, aggregate_id, published_at FROM outbox_events
              WHERE published_at IS NOT NULL AND batch >= :batch AND batch <= :last AND (batch, seq) > (:batch, :seq)
              ORDER BY batch, seq LIMIT :rows),
            wanted AS MATERIALIZED (
              SELECT id, seq FROM looked WHERE <condition> ORDER BY batch, seq LIMIT :events)
            SELECT batch, seq, ARRAY(SELECT id::text FROM wanted) AS ids
            FROM looked
            WHERE (SELECT count(*) FROM wanted) < :events OR seq IN (SELECT seq FROM wanted)
            ORDER BY batch DESC, seq DESC LIMIT 1""";

    // Whoever makes a row unpublished stamps it: else a relay whose position is past it would never look at it again.
    // By the
    // number a relay sees that queues may still remember it.
    private static final String REPLAY = """
            UPDATE outbox_events
            SET published_at = NULL, batch = (SELECT nextval(CAST(:sequence AS regclass))), xact_id = pg_current_xact_id()
            WHERE published_at IS NOT NULL AND id = ANY (CAST(:ids AS uuid[]))""";

    private final Jdbi jdbi;
    private final OutboxTables tables;
    private final Replay which;
    private final int perSecond;

    /** @param perSecond events, at least 1 */
    ReplayRun(Jdbi jdbi, OutboxTables tables, Replay which, int perSecond) {
        this.jdbi = jdbi;
        this.tables = tables;
        this.which = which;
        this.perSecond = perSecond;
    }

    /** All of what is published now. Returns how many. */
    long run() {
        long last = jdbi.withHandle(
                handle -> handle.createQuery(tables.in(LAST)).mapTo(Long.class).one());
        long began = System.nanoTime();
        long done = 0;
        Optional<Step> step = Optional.of(new Step(-1, 0, List.of()));
        while (step.isPresent()) {
            pause(began, done);
            step = after(step.get(), last);
            done += step.map(Step::ids).map(List::size).orElse(0);
        }
        return done;
    }

    private Optional<Step> after(Step before, long last) {
        try (Handle handle = jdbi.open()) {
            return handle.inTransaction(transaction -> {
                JdbiShard.lockAll(transaction, tables);
                Optional<Step> step = next(transaction, before, last);
                step.map(Step::ids).filter(ids -> !ids.isEmpty()).ifPresent(ids -> replay(transaction, ids));
                return step;
            });
        }
    }

    private Optional<Step> next(Handle transaction, Step before, long last) {
        return transaction
                .createQuery(tables.in(STEP.replace("<condition>", which.condition())))
                .bindMap(which.parameters())
                .bind("batch", before.batch())
                .bind("seq", before.seq())
                .bind("last", last)
                .bind("rows", ROWS)
                .bind("events", Math.min(EVENTS, perSecond))
                .map((row, context) -> new Step(row.getLong("batch"), row.getLong("seq"), List.of((String[])
                        row.getArray("ids").getArray())))
                .findOne();
    }

    private void replay(Handle transaction, List<String> ids) {
        transaction
                .createUpdate(tables.in(REPLAY))
                .bind("sequence", tables.name("outbox_batches"))
                .bindArray("ids", String.class, ids)
                .execute();
    }

    private void pause(long began, long done) {
        long due = began + done * 1_000_000_000L / perSecond;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("the replay was interrupted after " + done + " events");
            }
        }
    }

    /**
     * A step.
     *
     * @param batch with {@code seq}: the last row that was looked at
     * @param ids of what is replayed
     */
    private record Step(long batch, long seq, List<String> ids) {}
}
