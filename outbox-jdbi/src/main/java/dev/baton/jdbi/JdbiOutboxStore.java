package dev.baton.jdbi;

import dev.baton.internal.Json;
import dev.baton.outbox.Event;
import dev.baton.outbox.Lag;
import dev.baton.outbox.OutboxStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** The outbox as the relay reads it. Each pass uses one connection of the Jdbi's pool, for the length of the pass. */
public final class JdbiOutboxStore implements OutboxStore {
    // A pass that stalls must not hold its transaction, and with it the lock, for ever: PostgreSQL ends it, the relay
    // fails and tries again, here or on another instance.
    // The lock is of this very table: advisory locks are of the whole database, where other schemas may have an outbox
    // too.
    private static final String LOCK_AND_BOUNDS = """
            SELECT pg_try_advisory_xact_lock((x'BA70'::bigint << 40) | 'outbox_events'::regclass::oid::bigint)
            FROM (SELECT set_config('statement_timeout', '10s', true),
                         set_config('idle_in_transaction_session_timeout', ?, true)) AS bounds""";

    private static final String CLAIM = """
            SELECT id, topic, aggregate_id, payload::text AS payload, headers::text AS headers
            FROM outbox_events
            WHERE published_at IS NULL AND topic = ANY (?)
            ORDER BY seq
            LIMIT ?""";

    private static final String MARK =
            "UPDATE outbox_events SET published_at = now() WHERE id = ANY (?::uuid[]) AND published_at IS NULL";

    private static final String LAG = """
            SELECT count(*) AS unpublished,
                   coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0) AS oldest_seconds
            FROM outbox_events
            WHERE published_at IS NULL""";

    private static final Duration LONGEST_HAND_OVER = Duration.ofSeconds(15);

    private final Jdbi jdbi;
    private final Duration longestHandOver;

    /**
     * The outbox in this database.
     *
     * @param jdbi for the database whose current schema holds the outbox; never closed by the store
     */
    public JdbiOutboxStore(Jdbi jdbi) {
        this(jdbi, LONGEST_HAND_OVER);
    }

    /** For tests: how long a hand-over may take before PostgreSQL ends its transaction. */
    JdbiOutboxStore(Jdbi jdbi, Duration longestHandOver) {
        this.jdbi = jdbi;
        this.longestHandOver = longestHandOver;
    }

    @Override
    public PassResult pass(Set<String> topics, int limit, HandOver handOver) {
        // A handle of its own: jdbi.inTransaction would join a transaction that this thread has open already, and the
        // caller's rollback would then take back what the sinks were told.
        try (Handle handle = jdbi.open()) {
            return handle.inTransaction(transaction -> {
                if (!lock(transaction)) {
                    return PassResult.STANDBY;
                }
                List<Event> events = claim(transaction, topics, limit);
                int published = events.isEmpty() ? 0 : mark(transaction, handOver.handOver(events));
                return new PassResult(true, events.size(), published);
            });
        }
    }

    @Override
    public Lag lag() {
        return jdbi.withHandle(handle -> handle.createQuery(LAG)
                .map((row, context) -> new Lag(
                        row.getLong("unpublished"),
                        Duration.ofMillis(Math.max(0, Math.round(row.getDouble("oldest_seconds") * 1000)))))
                .one());
    }

    private boolean lock(Handle transaction) {
        return transaction
                .createQuery(LOCK_AND_BOUNDS)
                .bind(0, Long.toString(longestHandOver.toMillis()))
                .mapTo(Boolean.class)
                .one();
    }

    private static List<Event> claim(Handle transaction, Set<String> topics, int limit) {
        return transaction
                .createQuery(CLAIM)
                .bindArray(0, String.class, topics.toArray())
                .bind(1, limit)
                .map((row, context) -> event(row))
                .list();
    }

    private static int mark(Handle transaction, Collection<UUID> ids) {
        return transaction
                .createUpdate(MARK)
                .bindArray(0, String.class, ids.stream().map(UUID::toString).toArray())
                .execute();
    }

    private static Event event(ResultSet row) throws SQLException {
        return new Event(
                row.getObject("id", UUID.class),
                row.getString("topic"),
                row.getString("aggregate_id"),
                row.getString("payload"),
                Json.readStrings(row.getString("headers")));
    }
}
