package dev.baton.jdbi;

import static java.util.Objects.requireNonNull;

import dev.baton.jdbi.Position.Claimed;
import dev.baton.jdbi.Position.Snapshot;
import dev.baton.outbox.StoredEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Reads what is unpublished, from a {@link Position}: in one statement, so in one snapshot. */
final class ClaimQuery {
    static final String COLUMNS = "e.seq, e.id, e.topic, e.aggregate_id, e.payload::text AS payload,"
            + " e.headers::text AS headers, e.not_before, coalesce(e.batch, 0) AS batch";

    // "published_at IS NULL AND seq > 0" is the condition of outbox_unpublished: see the schema.
    // The inner select has OFFSET 0, which PostgreSQL does not look through: else it might look for late rows by
    // seq, and pass over everything that was published.
    private static final String LATE = """
            SELECT <columns>, <none>
            FROM outbox_events e
            WHERE e.published_at IS NULL AND e.seq > 0 AND e.seq = ANY (ARRAY(
                SELECT seq
                FROM ((SELECT seq, topic, hash FROM outbox_events
                       WHERE published_at IS NULL AND xact_id >= CAST(:xmax AS xid8) OFFSET 0)
                      UNION ALL
                      (SELECT seq, topic, hash FROM outbox_events
                       WHERE published_at IS NULL AND xact_id = ANY (CAST(:xip AS xid8[])) OFFSET 0)) AS e
                WHERE seq <= :seq AND topic = ANY (:topics) <shard> <not parked>
                ORDER BY seq
                LIMIT :limit))
            UNION ALL
            """;

    // The first row tells of the snapshot.
    private static final String NEW = """
            (SELECT <columns>, <none>
             FROM outbox_events e
             WHERE e.published_at IS NULL AND e.seq > 0 AND e.seq > :seq AND e.seq <= :end AND e.topic = ANY (:topics) <shard> <which>
             ORDER BY e.seq
             LIMIT :limit)
            UNION ALL
            SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                   pg_current_snapshot()::text,
                   pg_postmaster_start_time()::text,
                   (SELECT last_value FROM <sequence>),
                   EXISTS (SELECT FROM outbox_parked),
                   EXISTS (SELECT FROM outbox_parked e WHERE due_at <= now() AND NOT dead <shard>)
            ORDER BY seq NULLS FIRST
            LIMIT :limit + 1""";

    private static final String NONE = "NULL AS snapshot, NULL AS server, NULL::bigint AS last_drawn,"
            + " NULL::boolean AS parked, NULL::boolean AS due";

    // A turn reads parked rows too, and passes over them once; late ones it would find again and again, if they were
    // written in another cluster, whose transactions had higher numbers. Who only asks never passes over a row.
    private static final String NOT_PARKED = "AND NOT EXISTS (SELECT FROM outbox_parked p WHERE p.seq = e.seq)";

    private final String late;
    private final String fresh;
    private final Set<String> topics;

    /** @param parked whether to read what is parked, too */
    ClaimQuery(OutboxTables tables, String sequence, int shard, int shards, Set<String> topics, boolean parked) {
        // Java's floorMod: PostgreSQL's % keeps the sign.
        String condition =
                shards == 1 ? "" : "AND ((e.hash % " + shards + ") + " + shards + ") % " + shards + " = " + shard;
        this.topics = topics;
        String which = parked ? "" : NOT_PARKED;
        this.fresh = sql(tables, NEW, sequence, condition, which);
        this.late = sql(tables, LATE, sequence, condition, which) + fresh;
    }

    /** The statement that looks for late rows as well. */
    String late() {
        return late;
    }

    Set<String> topics() {
        return topics;
    }

    /** What it found, and the events. */
    record Found(Claimed claimed, List<StoredEvent> events, boolean parked, boolean due) {}

    Found read(Handle handle, Position position, int limit) {
        position.begin();
        Snapshot snapshot = position.snapshot();
        long end = position.end();
        long began = System.nanoTime();
        try (Query query = handle.createQuery(snapshot == null ? fresh : late)) {
            if (snapshot != null) {
                query.bind("xmax", snapshot.xmax()).bindArray("xip", String.class, snapshot.xip());
            }
            List<Row> rows = query.bind("seq", position.seq())
                    .bind("end", end)
                    .bindArray("topics", String.class, topics)
                    .bind("limit", limit)
                    .map((row, context) -> Row.of(row))
                    .list();
            Found found = found(rows, limit, end, System.nanoTime() - began);
            if (snapshot != null
                    && !snapshot.server().equals(found.claimed().snapshot().server())) {
                position.forget();
                return read(handle, position, limit);
            }
            return found;
        } catch (RuntimeException e) {
            position.shrink();
            throw e;
        }
    }

    private static Found found(List<Row> rows, int limit, long end, long nanos) {
        Row first = rows.get(0);
        List<StoredEvent> events = new ArrayList<>(rows.size());
        List<Long> seqs = new ArrayList<>(rows.size());
        for (Row row : rows.subList(1, rows.size())) {
            if (row.event != null) {
                events.add(row.event);
                seqs.add(row.event.seq());
            }
        }
        Snapshot snapshot = Snapshot.parse(requireNonNull(first.snapshot), requireNonNull(first.server));
        Claimed claimed = new Claimed(snapshot, seqs, seqs.size() == limit, end, first.lastDrawn, nanos);
        return new Found(claimed, events, first.parked, first.due);
    }

    static StoredEvent event(ResultSet row, int attempts, Set<String> accepted) throws SQLException {
        return new StoredEvent(
                row.getLong("seq"),
                row.getObject("id", java.util.UUID.class),
                row.getString("topic"),
                row.getString("aggregate_id"),
                row.getString("payload"),
                row.getString("headers"),
                instant(row, "not_before"),
                row.getLong("batch"),
                attempts,
                accepted);
    }

    static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static String sql(OutboxTables tables, String template, String sequence, String condition, String which) {
        return tables.in(template.replace("<columns>", COLUMNS)
                        .replace("<none>", NONE)
                        .replace("<shard>", condition)
                        .replace("<not parked>", NOT_PARKED)
                        .replace("<which>", which))
                .replace("<sequence>", sequence);
    }

    private record Row(
            @Nullable StoredEvent event,
            @Nullable String snapshot,
            @Nullable String server,
            long lastDrawn,
            boolean parked,
            boolean due) {
        static Row of(ResultSet row) throws SQLException {
            String snapshot = row.getString("snapshot");
            StoredEvent event = snapshot == null ? ClaimQuery.event(row, 0, Set.of()) : null;
            return new Row(
                    event,
                    snapshot,
                    row.getString("server"),
                    row.getLong("last_drawn"),
                    row.getBoolean("parked"),
                    row.getBoolean("due"));
        }
    }
}
