package dev.baton.jdbi;

import dev.baton.outbox.OutboxShard.Claim;
import dev.baton.outbox.OutboxShard.Refused;
import dev.baton.outbox.StoredEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Refused events, and those that wait behind them, in the transaction of a turn. */
final class Parking {
    private static final int MOST_DUE = 100;

    // Each is looked up by its id: a join by seq might read all that is unpublished, or the whole table.
    static final String WITH_EVENTS =
            "outbox_parked p CROSS JOIN LATERAL (SELECT * FROM outbox_events WHERE id = p.id OFFSET 0) AS e";

    // One that comes after another one which is not due is not due either: the order of the aggregate.
    static final String IS_DUE = """
            (p.due_at <= now() AND NOT p.dead AND NOT p.buried
              AND NOT EXISTS (SELECT FROM outbox_parked b
                              WHERE b.aggregate_id = p.aggregate_id AND b.seq < p.seq AND b.blocks
                                AND (b.dead OR b.due_at IS NULL OR b.due_at > now())))""";

    static final String DUE =
            "SELECT " + ClaimQuery.COLUMNS + ", p.attempts, p.accepted FROM " + WITH_EVENTS + " WHERE " + IS_DUE + """
             AND e.published_at IS NULL AND e.topic = ANY (:topics) <shard>
            ORDER BY p.seq
            LIMIT :limit""";

    private static final String PARKED = "SELECT seq FROM outbox_parked WHERE seq = ANY (:seqs)";

    private static final String BLOCKED =
            "SELECT DISTINCT aggregate_id FROM outbox_parked WHERE aggregate_id = ANY (:aggregates) AND blocks";

    private static final String PARK = """
            INSERT INTO outbox_parked AS p
              (seq, id, hash, aggregate_id, blocks, attempts, due_at, dead, reason, accepted, first_failure_at, last_failure_at)
            SELECT seq, id, hash, aggregate_id, :blocks, :attempts, now() + CAST(:ms AS bigint) * interval '1 ms', :dead,
                   :reason, :accepted, now(), now()
            FROM outbox_events WHERE published_at IS NULL AND seq > 0 AND seq = :seq
            ON CONFLICT (seq) DO UPDATE SET
              blocks = excluded.blocks, attempts = excluded.attempts, due_at = excluded.due_at, dead = excluded.dead,
              reason = excluded.reason, accepted = excluded.accepted,
              first_failure_at = coalesce(p.first_failure_at, excluded.first_failure_at),
              last_failure_at = excluded.last_failure_at""";

    private static final String HOLD_SUCCESSORS = """
            UPDATE outbox_parked SET due_at = NULL
            WHERE aggregate_id = :aggregate AND seq > :seq AND attempts = 0 AND due_at IS NOT NULL""";

    private static final String HOLD = """
            INSERT INTO outbox_parked (seq, id, hash, aggregate_id, blocks)
            SELECT seq, id, hash, aggregate_id, true FROM outbox_events WHERE published_at IS NULL AND seq > 0 AND seq = :seq
            ON CONFLICT (seq) DO UPDATE SET due_at = NULL""";

    private static final String REMOVE_BURIED =
            "DELETE FROM outbox_parked e WHERE e.buried <shard> RETURNING e.seq, e.aggregate_id";
    private static final String DELETE =
            "DELETE FROM outbox_events WHERE published_at IS NULL AND seq > 0 AND seq = ANY (:seqs)";

    private static final String REMOVE = "DELETE FROM outbox_parked WHERE seq = ANY (:seqs) RETURNING aggregate_id";

    private static final String RELEASE = """
            UPDATE outbox_parked p SET due_at = now()
            WHERE p.aggregate_id = ANY (:aggregates) AND p.due_at IS NULL AND NOT p.dead
              AND NOT EXISTS (SELECT FROM outbox_parked b
                              WHERE b.aggregate_id = p.aggregate_id AND b.seq < p.seq AND b.blocks AND b.attempts > 0)""";

    private final Handle handle;
    private final OutboxTables tables;

    Parking(Handle handle, OutboxTables tables) {
        this.handle = handle;
        this.tables = tables;
    }

    /** What is due, then what of these is neither parked nor has to wait for something that is. */
    Claim sort(List<StoredEvent> claimed, Set<String> topics, String shard) {
        removeBuried(shard);
        List<StoredEvent> events = new ArrayList<>(due(topics, shard));
        boolean more = events.size() == MOST_DUE;
        Set<Long> parked = new HashSet<>(handle.createQuery(tables.in(PARKED))
                .bindArray(
                        "seqs",
                        Long.class,
                        claimed.stream().map(StoredEvent::seq).toList())
                .mapTo(Long.class)
                .list());
        Set<String> blocked = new HashSet<>(handle.createQuery(tables.in(BLOCKED))
                .bindArray(
                        "aggregates",
                        String.class,
                        claimed.stream()
                                .map(StoredEvent::aggregateId)
                                .distinct()
                                .toList())
                .mapTo(String.class)
                .list());
        List<StoredEvent> waiting = new ArrayList<>();
        for (StoredEvent event : claimed) {
            if (!parked.contains(event.seq())) {
                (blocked.contains(event.aggregateId()) ? waiting : events).add(event);
            }
        }
        events.sort(Comparator.comparingLong(StoredEvent::seq));
        return new Claim(events, waiting, more);
    }

    void park(Refused refused) {
        Duration delay = refused.delay();
        handle.createUpdate(tables.in(PARK))
                .bind("seq", refused.event().seq())
                .bind("blocks", refused.blocks())
                .bind("attempts", refused.event().attempts() + 1)
                .bind("ms", delay == null ? null : (Long) delay.toMillis())
                .bind("dead", delay == null)
                .bind("reason", refused.reason().replace("\u0000", "\u2400"))
                .bindArray("accepted", String.class, refused.accepted())
                .execute();
        if (refused.blocks()) {
            handle.createUpdate(tables.in(HOLD_SUCCESSORS))
                    .bind("aggregate", refused.event().aggregateId())
                    .bind("seq", refused.event().seq())
                    .execute();
        }
    }

    /** After the others of the turn are published or parked: what they wait for may be out of the way already. */
    void hold(List<StoredEvent> events) {
        events.forEach(event ->
                handle.createUpdate(tables.in(HOLD)).bind("seq", event.seq()).execute());
        if (!events.isEmpty()) {
            release(events.stream().map(StoredEvent::aggregateId).distinct().toList());
        }
    }

    private void removeBuried(String shard) {
        List<Map.Entry<Long, String>> buried = handle.createQuery(tables.in(REMOVE_BURIED.replace("<shard>", shard)))
                .map((row, context) -> Map.entry(row.getLong("seq"), row.getString("aggregate_id")))
                .list();
        if (!buried.isEmpty()) {
            handle.createUpdate(tables.in(DELETE))
                    .bindArray(
                            "seqs",
                            Long.class,
                            buried.stream().map(Map.Entry::getKey).toList())
                    .execute();
            release(buried.stream().map(Map.Entry::getValue).toList());
        }
    }

    /** They were accepted: those that wait for them are due. */
    void remove(List<Long> seqs) {
        List<String> aggregates = handle.createQuery(tables.in(REMOVE))
                .bindArray("seqs", Long.class, seqs)
                .mapTo(String.class)
                .list();
        release(aggregates);
    }

    private void release(List<String> aggregates) {
        handle.createUpdate(tables.in(RELEASE))
                .bindArray("aggregates", String.class, aggregates)
                .execute();
    }

    private List<StoredEvent> due(Set<String> topics, String shard) {
        return handle.createQuery(tables.in(DUE.replace("<shard>", shard)))
                .bindArray("topics", String.class, topics)
                .bind("limit", MOST_DUE)
                .map((row, context) -> ClaimQuery.event(row, row.getInt("attempts"), accepted(row)))
                .list();
    }

    static Set<String> accepted(ResultSet row) throws SQLException {
        return Set.of((String[]) row.getArray("accepted").getArray());
    }
}
