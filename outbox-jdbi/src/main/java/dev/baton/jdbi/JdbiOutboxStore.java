package dev.baton.jdbi;

import dev.baton.outbox.DeadEvent;
import dev.baton.outbox.Lag;
import dev.baton.outbox.OutboxShard;
import dev.baton.outbox.OutboxStore;
import dev.baton.outbox.StoredEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** The outbox as the relay reads it. Each pass uses one connection of the Jdbi's pool, for the length of the pass. */
public final class JdbiOutboxStore implements OutboxStore {
    private static final String LAG = """
            SELECT count(*) AS unpublished,
                   count(*) FILTER (WHERE topic <> ALL (:topics)) AS unknown,
                   (SELECT count(*) FROM (SELECT FROM outbox_parked LIMIT :most) AS p) AS parked,
                   coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0) AS oldest_seconds
            FROM (SELECT topic, created_at FROM outbox_events WHERE published_at IS NULL AND seq > 0 ORDER BY seq LIMIT :most) AS e""";

    // Batch numbers rise with time, so the oldest are in front of that index; no more of it is read than is deleted.
    // The
    // age is asked for twice: a row that was replayed while this waited for it is a new version.
    static final String CLEAN = """
            DELETE FROM outbox_events WHERE published_at < now() - CAST(:ms AS bigint) * interval '1 ms' AND ctid = ANY (ARRAY(
              SELECT ctid
              FROM (SELECT ctid, published_at FROM outbox_events
                    WHERE published_at IS NOT NULL ORDER BY batch LIMIT :limit) AS oldest
              WHERE published_at < now() - CAST(:ms AS bigint) * interval '1 ms'))""";

    private static final String CLEAN_LOCK = """
            SELECT pg_try_advisory_xact_lock((47792::bigint << 48) | (65535::bigint << 32)
                                             | CAST(:table AS regclass)::oid::bigint)
            FROM (SELECT set_config('statement_timeout', '10s', true), set_config('lock_timeout', '5s', true),
                         set_config('enable_seqscan', 'off', true)) AS bounds""";

    static final String DEAD = "SELECT " + ClaimQuery.COLUMNS
            + ", p.attempts, p.reason, p.first_failure_at, p.last_failure_at FROM " + Parking.WITH_EVENTS
            + " WHERE p.dead ORDER BY p.seq LIMIT :limit";

    private static final String BURIED =
            "UPDATE outbox_parked SET dead = false, buried = true, due_at = now() WHERE dead AND seq = ANY (:seqs)";

    private final Jdbi jdbi;
    private final OutboxTables tables;
    private final JdbiShard.Limits limits;

    /**
     * The outbox in this database.
     *
     * @param jdbi for the database whose current schema holds the outbox; never closed by the store
     */
    public JdbiOutboxStore(Jdbi jdbi) {
        this(jdbi, OutboxTables.DEFAULT);
    }

    /**
     * The outbox in these tables.
     *
     * @param jdbi for the database; never closed by the store
     */
    public JdbiOutboxStore(Jdbi jdbi, OutboxTables tables) {
        this(jdbi, tables, JdbiShard.Limits.DEFAULT);
    }

    /** For tests, which do not wait as long. */
    JdbiOutboxStore(Jdbi jdbi, OutboxTables tables, JdbiShard.Limits limits) {
        this.jdbi = jdbi;
        this.tables = tables;
        this.limits = limits;
    }

    @Override
    public Joined join(Set<Target> targets, int shards) {
        return new Joining(jdbi, tables).join(targets, shards);
    }

    @Override
    public OutboxShard shard(int shard, int shards, Set<String> topics) {
        return new JdbiShard(jdbi, tables, limits, shard, shards, Set.copyOf(topics));
    }

    @Override
    public Lag lag(Set<String> topics) {
        try (Handle handle = BoundedHandle.open(jdbi, limits.answer())) {
            return handle.createQuery(tables.in(LAG))
                    .bindArray("topics", String.class, topics)
                    .bind("most", Lag.MOST)
                    .map((row, context) -> new Lag(
                            row.getLong("unpublished"),
                            row.getLong("unknown"),
                            row.getLong("parked"),
                            Duration.ofMillis(Math.max(0, Math.round(row.getDouble("oldest_seconds") * 1000)))))
                    .one();
        }
    }

    @Override
    public int clean(Duration retention, int limit) {
        try (Handle handle = BoundedHandle.open(jdbi, limits.answer())) {
            return handle.inTransaction(transaction -> {
                boolean alone = transaction
                        .createQuery(CLEAN_LOCK)
                        .bind("table", tables.name("outbox_events"))
                        .mapTo(Boolean.class)
                        .one();
                return !alone
                        ? 0
                        : transaction
                                .createUpdate(tables.in(CLEAN))
                                .bind("limit", limit)
                                .bind("ms", retention.toMillis())
                                .execute();
            });
        }
    }

    @Override
    public List<DeadEvent> dead(int limit) {
        try (Handle handle = BoundedHandle.open(jdbi, limits.answer())) {
            return handle.createQuery(tables.in(DEAD))
                    .bind("limit", limit)
                    .map((row, context) -> dead(row))
                    .list();
        }
    }

    @Override
    public void buried(List<DeadEvent> events) {
        // Only a flag: what is parked changes under the lock of its shard, or an event that is just being held would
        // wait for one that is gone.
        try (Handle handle = BoundedHandle.open(jdbi, limits.answer())) {
            handle.createUpdate(tables.in(BURIED))
                    .bindArray(
                            "seqs",
                            Long.class,
                            events.stream().map(dead -> dead.event().seq()).toList())
                    .execute();
        }
    }

    private static DeadEvent dead(ResultSet row) throws SQLException {
        StoredEvent event = ClaimQuery.event(row, row.getInt("attempts"), Set.of());
        return new DeadEvent(
                event, row.getString("reason"), time(row, "first_failure_at"), time(row, "last_failure_at"));
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(ClaimQuery.instant(row, column));
    }
}
