package dev.baton.jdbi;

import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.LetterPage.Cursor;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.deadletter.RedriveProgress;
import dev.baton.internal.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code dead_letter_redrives} in the hands of one pass, which has locked it.
 *
 * @param after behind this letter goes the next batch, or null
 * @param elapsed since the rate began to hold, by the database's clock
 * @param paced how many were sent back since then
 */
record RedriveRun(
        UUID id,
        RedriveOrder order,
        Instant createdAt,
        RedriveProgress progress,
        @Nullable Cursor after,
        Duration elapsed,
        int paced) {
    static final String COLUMNS =
            "id, state, filter::text AS filter, most, per_second, patch, by_whom, why, created_at,"
                    + " redriven, skipped, after_died, after_id, paced,"
                    + " extract(epoch FROM clock_timestamp() - paced_from) AS elapsed";

    /** No pass sends back more: a transaction stays short, and its payloads (256 KB at most by default) fit into the memory. */
    static final int BATCH = 100;

    private static final double LONGEST_STALL_SECONDS = 5;

    private static final String RUNNING =
            "SELECT id FROM dead_letter_redrives WHERE state = 'RUNNING' ORDER BY created_at";

    private static final String LOCK = "SELECT " + COLUMNS + " FROM dead_letter_redrives AS run,"
            + " (SELECT set_config('statement_timeout', '10s', true), set_config('lock_timeout', '5s', true)) AS bounds"
            + " WHERE id = ? AND state = 'RUNNING' FOR UPDATE OF run SKIP LOCKED";

    private static final String ADVANCE = """
            UPDATE dead_letter_redrives SET
              redriven = redriven + :redriven, skipped = skipped + :skipped,
              after_died = CAST(:died AS timestamptz), after_id = CAST(:letter AS uuid),
              state = CASE WHEN :done THEN 'DONE' ELSE state END,
              paced_from = CASE WHEN :rebase THEN clock_timestamp() ELSE paced_from END,
              paced = CASE WHEN :rebase THEN 0 ELSE paced END + :redriven
            WHERE id = :id""";

    /** Every run that is to go on, the oldest first. */
    static List<UUID> running(Handle handle, OutboxTables tables) {
        return handle.createQuery(tables.in(RUNNING)).mapTo(UUID.class).list();
    }

    /** The run, unless somebody else is at it or it does not go on any more; and bounds for what comes in its transaction. */
    static Optional<RedriveRun> lock(Handle transaction, OutboxTables tables, UUID id) {
        return transaction
                .createQuery(tables.in(LOCK))
                .bind(0, id)
                .map((row, context) -> read(row))
                .findOne();
    }

    static RedriveRun read(ResultSet row) throws SQLException {
        Double rate = row.getObject("per_second", Double.class);
        UUID after = row.getObject("after_id", UUID.class);
        UUID id = row.getObject("id", UUID.class);
        return new RedriveRun(
                id,
                new RedriveOrder(
                        Json.read(row.getString("filter"), LetterFilter.class),
                        row.getObject("most", Integer.class),
                        rate,
                        row.getString("patch"),
                        row.getString("by_whom"),
                        row.getString("why")),
                LetterRow.moment(row, "created_at"),
                new RedriveProgress(
                        id,
                        RedriveProgress.State.valueOf(row.getString("state")),
                        row.getInt("redriven"),
                        row.getInt("skipped")),
                after == null ? null : new Cursor(LetterRow.moment(row, "after_died"), after),
                Duration.ofNanos((long) (row.getDouble("elapsed") * 1e9)),
                row.getInt("paced"));
    }

    /** How many may be sent back now. */
    int due() {
        int left = order.limit() == null ? BATCH : Math.min(BATCH, order.limit() - progress.redriven());
        return order.perSecond() == null ? left : (int) Math.min(left, Math.max(0, owed()));
    }

    /** What the rate allows by now. After a stall of more than five seconds it counts anew: no burst makes up for it. */
    private long owed() {
        double rate = perSecond();
        long owed = (long) Math.floor(rate * elapsed.toNanos() / 1e9) + 1 - paced;
        return stalled() ? Math.max(1, (long) rate / 10) : Math.min(owed, Math.max(1, (long) rate / 4));
    }

    private boolean stalled() {
        double rate = perSecond();
        return rate * elapsed.toNanos() / 1e9 - paced > Math.max(LONGEST_STALL_SECONDS * rate, 1);
    }

    /** When the next one is due. */
    Duration rest() {
        if (order.perSecond() == null) {
            return Duration.ZERO;
        }
        double seconds = (paced + 1) / perSecond() - elapsed.toNanos() / 1e9;
        return Duration.ofMillis(Math.max(20, Math.min(1_000, (long) (seconds * 1_000))));
    }

    void advance(
            Handle transaction, OutboxTables tables, int redriven, int skipped, @Nullable Cursor last, boolean done) {
        Cursor behind = last == null ? after : last;
        transaction
                .createUpdate(tables.in(ADVANCE))
                .bind("redriven", redriven)
                .bind("skipped", skipped)
                .bind("died", behind == null ? null : behind.diedAt().atOffset(ZoneOffset.UTC))
                .bind("letter", behind == null ? null : behind.id())
                .bind("done", done)
                .bind("rebase", order.perSecond() != null && stalled())
                .bind("id", id)
                .execute();
    }

    private double perSecond() {
        return order.perSecond() == null ? Double.MAX_VALUE : order.perSecond();
    }
}
