package dev.baton.jdbi;

import dev.baton.jdbi.ClaimQuery.Found;
import dev.baton.outbox.OutboxShard;
import dev.baton.outbox.OutboxStore;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** One shard of the outbox, read by one relay. */
final class JdbiShard implements OutboxShard {
    // A turn that stalls must not hold its transaction, and with it the lock, for ever: PostgreSQL ends it, the relay
    // fails and tries again, here or on another instance. All settings are of this transaction alone. To plan a claim
    // takes longer than to run it, and no value of its parameters makes another plan a better one: hence the generic
    // one.
    // The lock is of this very table: advisory locks are of the whole database, where other schemas may have an outbox
    // too. It is taken in a statement of its own, so that the next one sees what the holder before committed.
    static final String LOCK_AND_BOUNDS = """
            SELECT pg_try_advisory_xact_lock((CAST(:key AS bigint) << 32) | CAST(:table AS regclass)::oid::bigint)
            FROM (SELECT set_config('statement_timeout', '10s', true),
                         set_config('lock_timeout', '5s', true),
                         set_config('idle_in_transaction_session_timeout', :longest, true),
                         set_config('enable_seqscan', 'off', true),
                         set_config('enable_bitmapscan', 'off', true),
                         set_config('plan_cache_mode', 'force_generic_plan', true),
                         set_config('jit', 'off', true)) AS bounds""";
    private static final long LOCK = 0xBA70L << 16;
    private static final String LOCK_ALL = """
            SELECT count(pg_advisory_xact_lock(((CAST(:key AS bigint) + shard) << 32) | CAST(:table AS regclass)::oid::bigint))
            FROM (SELECT set_config('lock_timeout', '30s', true), set_config('enable_seqscan', 'off', true)) AS bounds,
                 generate_series(0, :last) AS shard""";

    private final Jdbi jdbi;
    private final OutboxTables tables;
    private final Limits limits;
    private final int shard;
    private final int shards;
    private final Set<String> topics;
    private final Position position = new Position();
    private @Nullable ClaimQuery claim;
    private @Nullable ClaimQuery look;

    JdbiShard(Jdbi jdbi, OutboxTables tables, Limits limits, int shard, int shards, Set<String> topics) {
        this.jdbi = jdbi;
        this.tables = tables;
        this.limits = limits;
        this.shard = shard;
        this.shards = shards;
        this.topics = topics;
    }

    @Override
    public boolean waiting() {
        try (Handle handle = BoundedHandle.open(jdbi, limits.answer())) {
            Found found = look(handle).read(handle, position, 1);
            position.moveOn(found.claimed(), false, Long.MAX_VALUE);
            return !found.events().isEmpty() || found.due() || found.claimed().more();
        }
    }

    @Override
    public Optional<Turn> turn() {
        // A handle of its own: jdbi.inTransaction would join a transaction that this thread has open already, and the
        // caller's rollback would then take back what the sinks were told.
        Handle handle = BoundedHandle.open(jdbi, limits.answer());
        try {
            handle.begin();
            if (lock(handle)) {
                return Optional.of(new JdbiTurn(
                        handle,
                        tables,
                        claim(handle),
                        position,
                        shardOf(),
                        limits.handOver().dividedBy(3)));
            }
            handle.rollback();
        } catch (RuntimeException e) {
            close(handle, e);
            throw e;
        }
        handle.close();
        return Optional.empty();
    }

    @Override
    public long position() {
        return position.seq();
    }

    Position ownPosition() {
        return position;
    }

    /** Waits for the turns in progress, and keeps all relays from another one until the transaction ends. */
    static void lockAll(Handle transaction, OutboxTables tables) {
        transaction
                .createQuery(LOCK_ALL)
                .bind("key", LOCK)
                .bind("table", tables.name("outbox_events"))
                .bind("last", OutboxStore.MOST_SHARDS - 1)
                .mapTo(Long.class)
                .one();
    }

    private boolean lock(Handle handle) {
        return handle.createQuery(LOCK_AND_BOUNDS)
                .bind("key", LOCK | shard)
                .bind("table", tables.name("outbox_events"))
                .bind("longest", Long.toString(limits.handOver().toMillis()))
                .mapTo(Boolean.class)
                .one();
    }

    private ClaimQuery claim(Handle handle) {
        if (claim == null) {
            claim = query(handle, true);
        }
        return claim;
    }

    private ClaimQuery look(Handle handle) {
        if (look == null) {
            look = query(handle, false);
        }
        return look;
    }

    private ClaimQuery query(Handle handle, boolean parked) {
        String sequence = handle.createQuery("SELECT pg_get_serial_sequence(?, 'seq')")
                .bind(0, tables.name("outbox_events"))
                .mapTo(String.class)
                .one();
        return new ClaimQuery(tables, sequence, shard, shards, topics, parked);
    }

    private String shardOf() {
        return shards == 1 ? "" : "AND ((e.hash % " + shards + ") + " + shards + ") % " + shards + " = " + shard;
    }

    /**
     * How long a turn may last.
     *
     * @param handOver to the sinks, before PostgreSQL ends the transaction
     * @param answer of PostgreSQL, before it is given up
     */
    record Limits(Duration handOver, Duration answer) {
        static final Limits DEFAULT = new Limits(Duration.ofSeconds(15), BoundedHandle.LONGEST_ANSWER);
    }

    static void close(Handle handle, Throwable because) {
        try {
            if (handle.isInTransaction()) {
                handle.rollback();
            }
        } catch (RuntimeException e) {
            because.addSuppressed(e);
        }
        try {
            handle.close();
        } catch (RuntimeException e) {
            because.addSuppressed(e);
        }
    }
}
