package dev.baton.jdbi;

import dev.baton.jdbi.ClaimQuery.Found;
import dev.baton.outbox.OutboxShard.Claim;
import dev.baton.outbox.OutboxShard.Published;
import dev.baton.outbox.OutboxShard.Refused;
import dev.baton.outbox.OutboxShard.Turn;
import dev.baton.outbox.OutboxShard.Unsettled;
import dev.baton.outbox.StoredEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** A transaction that holds the lock of a shard. */
final class JdbiTurn implements Turn {
    // What is asked for by id is looked up by id and by nothing else. OFFSET 0, which PostgreSQL does not look through,
    // hides the conditions that fit the partial indexes: by statistics that say "nothing is unpublished" these look
    // cheap, and then a million entries are read, a thousand ids compared with each.
    private static final String BY_ID =
            "(SELECT * FROM outbox_events WHERE id = ANY (CAST(:ids AS uuid[])) OFFSET 0) AS e";

    static final String UNPUBLISHED =
            "SELECT " + ClaimQuery.COLUMNS + """
            , coalesce(p.attempts, 0) AS attempts, coalesce(p.accepted, '{}') AS accepted, p.seq IS NOT NULL AS parked,
              p.seq IS NULL OR coalesce(""" + Parking.IS_DUE + ", false) AS ready FROM " + BY_ID + """
             LEFT JOIN LATERAL (SELECT * FROM outbox_parked WHERE seq = e.seq OFFSET 0) AS p ON true
            WHERE e.published_at IS NULL
            ORDER BY e.seq""";

    static final String PUBLISHED_AFTER =
            "SELECT e.id FROM " + BY_ID + " WHERE e.published_at IS NOT NULL AND e.batch > :after";

    // Whole batches: the last one within the limit may be cut, so it is left for the next step unless it is the only
    // one.
    private static final String END_OF_STEP = """
            SELECT CASE WHEN count(*) < :rows THEN NULL WHEN min(batch) = max(batch) THEN max(batch) ELSE max(batch) - 1 END
            FROM (SELECT batch FROM outbox_events
                  WHERE published_at IS NOT NULL AND batch > :after ORDER BY batch LIMIT :rows) AS step""";

    private static final String PUBLISHED = "SELECT " + ClaimQuery.COLUMNS + """
             FROM outbox_events e
            WHERE e.published_at IS NOT NULL AND e.batch > :after AND e.batch <= :upTo AND e.topic = ANY (:topics) <shard>
            ORDER BY e.batch, e.seq""";

    private static final String NUMBER = "SELECT nextval(CAST(:sequence AS regclass))";

    // Other shards draw numbers meanwhile, which only rise; only the lifting itself must not happen twice at once, or
    // the lower of two could win. The gap is for what they draw between the two halves of the condition.
    private static final String LIFT_LOCK =
            "SELECT pg_advisory_xact_lock((48497::bigint << 48) | CAST(:sequence AS regclass)::oid::bigint)";
    private static final String LIFT = """
            SELECT setval(CAST(:sequence AS regclass), :above + 1000000)
            WHERE (SELECT last_value FROM outbox_batches) <= :above""";

    static final String PUBLISH = """
            UPDATE outbox_events SET published_at = now(), batch = :number
            WHERE published_at IS NULL AND seq > 0 AND seq = ANY (:seqs)""";

    private final Handle handle;
    private final OutboxTables tables;
    private final ClaimQuery claim;
    private final Position position;
    private final String shard;
    private final Parking parking;
    private final Set<Long> unparked = new HashSet<>();
    private final Duration budget;
    private @Nullable Found found;
    private long left = Long.MAX_VALUE;
    private boolean committed;

    /** @param shard the condition that a row {@code e} is of this shard */
    JdbiTurn(Handle handle, OutboxTables tables, ClaimQuery claim, Position position, String shard, Duration budget) {
        this.handle = handle;
        this.tables = tables;
        this.claim = claim;
        this.position = position;
        this.shard = shard;
        this.parking = new Parking(handle, tables);
        this.budget = budget;
    }

    @Override
    public Claim claim(int limit) {
        Found read = claim.read(handle, position, limit);
        found = read;
        if (!read.parked()) {
            return new Claim(read.events(), List.of(), read.claimed().more());
        }
        Claim sorted = parking.sort(read.events(), claim.topics(), shard);
        sorted.events().stream().map(StoredEvent::seq).forEach(unparked::add);
        return new Claim(sorted.events(), sorted.waiting(), read.claimed().more() || sorted.more());
    }

    @Override
    public Unsettled unsettled(Collection<UUID> ids) {
        List<Unpublished> found = ids.isEmpty()
                ? List.of()
                : handle.createQuery(tables.in(UNPUBLISHED))
                        .bindArray("ids", String.class, texts(ids))
                        .map((row, context) -> Unpublished.of(row))
                        .list();
        found.stream().filter(Unpublished::parked).map(one -> one.event().seq()).forEach(unparked::add);
        return new Unsettled(
                found.stream()
                        .filter(Unpublished::ready)
                        .map(Unpublished::event)
                        .toList(),
                found.stream()
                        .filter(one -> !one.ready())
                        .map(Unpublished::event)
                        .toList());
    }

    @Override
    public Set<UUID> publishedAfter(long number, Collection<UUID> ids) {
        return ids.isEmpty()
                ? Set.of()
                : new HashSet<>(handle.createQuery(tables.in(PUBLISHED_AFTER))
                        .bindArray("ids", String.class, texts(ids))
                        .bind("after", number)
                        .mapTo(UUID.class)
                        .list());
    }

    @Override
    public Published published(long after, Set<String> topics, int rows) {
        Long end = handle.createQuery(tables.in(END_OF_STEP))
                .bind("after", after)
                .bind("rows", rows)
                .mapTo(Long.class)
                .findOne()
                .orElse(null);
        long upTo = end == null ? Long.MAX_VALUE : end;
        List<StoredEvent> events = handle.createQuery(tables.in(PUBLISHED.replace("<shard>", shard)))
                .bind("after", after)
                .bind("upTo", upTo)
                .bindArray("topics", String.class, topics)
                .map((row, context) -> ClaimQuery.event(row, 0, Set.of()))
                .list();
        return new Published(events, upTo);
    }

    @Override
    public long number() {
        return handle.createQuery(NUMBER)
                .bind("sequence", tables.name("outbox_batches"))
                .mapTo(Long.class)
                .one();
    }

    @Override
    public void liftNumbers(long above) {
        String sequence = tables.name("outbox_batches");
        handle.createQuery(LIFT_LOCK).bind("sequence", sequence).mapToMap().one();
        handle.createQuery(tables.in(LIFT))
                .bind("sequence", sequence)
                .bind("above", above)
                .mapTo(Long.class)
                .findOne();
    }

    @Override
    public void publish(List<StoredEvent> events, long number) {
        List<Long> seqs = events.stream().map(StoredEvent::seq).toList();
        int published = handle.createUpdate(tables.in(PUBLISH))
                .bind("number", number)
                .bindArray("seqs", Long.class, seqs)
                .execute();
        if (published != events.size()) {
            throw new IllegalStateException("of " + events.size() + " events only " + published
                    + " were unpublished; somebody marked or deleted the others without the lock");
        }
        if (seqs.stream().anyMatch(unparked::contains)) {
            parking.remove(seqs);
        }
    }

    @Override
    public void park(List<Refused> events) {
        events.forEach(parking::park);
    }

    @Override
    public void hold(List<StoredEvent> events) {
        parking.hold(events);
    }

    @Override
    public void leave(List<StoredEvent> events) {
        // Parked ones are found as such, whatever the position is.
        Set<Long> claimed =
                found == null ? Set.of() : new HashSet<>(found.claimed().seqs());
        events.stream().map(StoredEvent::seq).filter(claimed::contains).forEach(seq -> left = Math.min(left, seq));
    }

    @Override
    public Duration budget() {
        return budget;
    }

    @Override
    public void commit() {
        handle.commit();
        committed = true;
    }

    @Override
    public void close() {
        if (found != null) {
            position.moveOn(found.claimed(), committed, left);
        }
        try {
            if (!committed) {
                handle.rollback();
            }
        } finally {
            handle.close();
        }
    }

    private static List<String> texts(Collection<UUID> ids) {
        return ids.stream().map(UUID::toString).toList();
    }

    private record Unpublished(StoredEvent event, boolean parked, boolean ready) {
        static Unpublished of(ResultSet row) throws SQLException {
            return new Unpublished(
                    ClaimQuery.event(row, row.getInt("attempts"), Parking.accepted(row)),
                    row.getBoolean("parked"),
                    row.getBoolean("ready"));
        }
    }
}
