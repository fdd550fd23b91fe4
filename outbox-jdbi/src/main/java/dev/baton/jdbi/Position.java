package dev.baton.jdbi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Up to where one relay has taken the events of one shard, so that a claim need not pass over the index entries of what is
 * published: while an old snapshot is open they cannot be removed, and a claim from the beginning would get slower with every
 * event.
 *
 * <p>A position alone strands what commits late: a transaction draws {@code seq} 5 and commits after {@code seq} 6 was taken.
 * No number tells when it is safe to go on, because {@code nextval} runs before the transaction even has an id. So the
 * position is a pair: a {@code seq}, and the snapshot S of the last claim. What holds at all times:
 *
 * <p><b>Every row with {@code seq <= position} that is visible in S is published or parked, or of a topic that is not asked
 * for.</b>
 *
 * <p>So what can be unpublished at or below the position is exactly what S does not see. PostgreSQL defines what that is: rows
 * of transactions that were in progress in S ({@code xip}), or that had no id yet, and those get one that is at least
 * {@code xmax}. Each row has the id of the (top-level) transaction that wrote it, or that made it unpublished again, in
 * {@code xact_id}. A claim therefore reads two ranges, in one statement and so in one snapshot S':
 *
 * <ol>
 *   <li>late rows: {@code seq <= position AND (xact_id >= xmax(S) OR xact_id = ANY (xip(S)))}, by the index on
 *       {@code xact_id};
 *   <li>new rows: {@code seq > position}, by the index on {@code seq}.
 * </ol>
 *
 * <p>Together, in the order of {@code seq}, they are all that is unpublished and visible in S'. Nothing about the order in
 * which {@code seq} is drawn is used. Afterwards S' takes the place of S, and the position goes
 *
 * <ul>
 *   <li>to the last row, if the claim was cut at its limit and the turn committed: what is visible in S' up to there was
 *       taken. That may be backwards, if late rows filled it;
 *   <li>to the end of what was looked at, if it was not cut and the turn committed;
 *   <li>to just before the first row, if the turn did not commit (also backwards): below it there was nothing;
 *   <li>but never further than to just before the first row that the turn left: below it everything was taken.
 * </ul>
 *
 * <p>Each keeps the invariant. It is the relay's own knowledge, stays true whatever other relays publish, and is never stored:
 * a new relay begins at the beginning and looks at growing windows of {@code seq}, so that no statement takes long however
 * many dead entries there are. A position that was not used for a while is forgotten: that is always safe. So is one of
 * another server: after a failover or a restore that lost commits, numbers of rows and transactions are given out again, and S
 * says nothing about those. PostgreSQL tells when it was started, which no other server has in common with it.
 */
final class Position {
    private static final long FIRST_WINDOW = 100_000;
    private static final long LARGEST_WINDOW = 1L << 40;
    private static final long QUICK_NANOS = 50_000_000;
    private static final long SLOW_NANOS = 1_000_000_000;
    private static final long FORGET_AFTER_NANOS = 60_000_000_000L;

    /** Looked at by other threads. */
    private volatile long seq;

    private @Nullable Snapshot snapshot;
    private long window = FIRST_WINDOW;
    private long used = System.nanoTime();

    /** Up to where everything that the snapshot sees is taken. */
    long seq() {
        return seq;
    }

    /** Of the last claim; null if there was none. */
    @Nullable
    Snapshot snapshot() {
        return snapshot;
    }

    /** How far the next claim looks. */
    long end() {
        return seq + window;
    }

    /** Before a claim: what is too old to be of use is forgotten. */
    void begin() {
        if (System.nanoTime() - used > FORGET_AFTER_NANOS) {
            forget();
        }
        used = System.nanoTime();
    }

    /** Back to the beginning, which is always safe. */
    void forget() {
        seq = 0;
        snapshot = null;
        window = FIRST_WINDOW;
    }

    /** After a claim that failed, perhaps because it took too long. */
    void shrink() {
        window = Math.max(1_000, window / 4);
    }

    /**
     * After a claim, when it is known whether its rows were taken.
     *
     * @param left the lowest that was not, though the others were; or {@link Long#MAX_VALUE}
     */
    void moveOn(Claimed claimed, boolean taken, long left) {
        snapshot = claimed.snapshot();
        List<Long> seqs = claimed.seqs();
        if (!taken && !seqs.isEmpty()) {
            seq = seqs.get(0) - 1;
        } else if (claimed.full()) {
            seq = seqs.get(seqs.size() - 1);
        } else {
            long last = seqs.isEmpty() ? 0 : seqs.get(seqs.size() - 1);
            seq = Math.min(claimed.end(), Math.max(claimed.lastDrawn(), last));
        }
        seq = Math.min(seq, left - 1);
        resize(claimed.nanos());
    }

    private void resize(long nanos) {
        if (nanos < QUICK_NANOS) {
            window = Math.min(LARGEST_WINDOW, window * 2);
        } else if (nanos > SLOW_NANOS) {
            shrink();
        }
    }

    /**
     * What a claim saw.
     *
     * @param snapshot in which it was read
     * @param seqs of all rows that it read, rising
     * @param full whether it was cut at its limit
     * @param end how far it looked
     * @param lastDrawn the highest {@code seq} that was drawn by then
     * @param nanos how long it took
     */
    record Claimed(Snapshot snapshot, List<Long> seqs, boolean full, long end, long lastDrawn, long nanos) {
        /** Whether there is certainly more to look at. */
        boolean more() {
            return full || end < lastDrawn;
        }
    }

    /**
     * PostgreSQL's {@code pg_snapshot}.
     *
     * @param xmax the first transaction that had not begun
     * @param xip the transactions that were in progress
     * @param server which one it is of: when that was started
     */
    record Snapshot(String xmax, List<String> xip, String server) {
        static Snapshot parse(String text, String server) {
            String[] parts = text.split(":", -1);
            return new Snapshot(parts[1], parts[2].isEmpty() ? List.of() : List.of(parts[2].split(",", -1)), server);
        }
    }
}
