package dev.baton.jdbi;

import dev.baton.internal.Bounds;
import dev.baton.outbox.OutboxStore;
import dev.baton.outbox.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** What an operator does with an outbox by hand. Thread-safe. */
public final class OutboxAdmin {
    private static final int STEP = 500;
    private static final int ROWS = 10_000;
    private static final int LARGEST_PAGE = 1_000;
    private static final UUID FIRST = new UUID(0, 0);

    // By batch, so that a step begins where the last one ended; and no more rows are looked at in a step than that,
    // however few
    // of them are wanted.
    private static final String STEP_SQL = """
            WITH looked AS MATERIALIZED (
              SELECT id, batch, seq, topic, aggregate_id, published_at FROM outbox_events
              WHERE published_at IS NOT NULL AND batch >= :batch AND batch <= :last AND (batch, seq) > (:batch, :seq)
              ORDER BY batch, seq LIMIT :rows),
            wanted AS MATERIALIZED (SELECT id, batch, seq FROM looked WHERE <condition> ORDER BY batch, seq LIMIT :limit),
            until AS (
              (SELECT batch, seq FROM wanted ORDER BY batch DESC, seq DESC LIMIT CASE WHEN (SELECT count(*) FROM wanted) = :limit THEN 1 ELSE 0 END)
              UNION ALL
              (SELECT batch, seq FROM looked ORDER BY batch DESC, seq DESC LIMIT 1)
              LIMIT 1)
            SELECT until.batch, until.seq, ARRAY(SELECT id::text FROM wanted) AS ids FROM until""";

    // Whoever makes a row unpublished stamps it: else a relay whose position is past it would never look at it again.
    // The
    // number tells queues that still remember it that they are to get it once more.
    private static final String REPLAY = """
            UPDATE outbox_events
            SET published_at = NULL, batch = (SELECT nextval(CAST(:sequence AS regclass))), xact_id = pg_current_xact_id()
            WHERE published_at IS NOT NULL AND id = ANY (CAST(:ids AS uuid[]))""";

    private static final String COUNT = "SELECT count(*) FROM outbox_events WHERE <condition>";

    private static final String LIST = "SELECT " + ClaimQuery.COLUMNS + """
            , coalesce(p.attempts, 0) AS attempts, coalesce(p.accepted, '{}') AS accepted
            FROM outbox_events e LEFT JOIN outbox_parked p ON p.seq = e.seq
            WHERE e.topic = :topic AND e.id > :after ORDER BY e.id LIMIT :limit""";

    private static final String LAST =
            "SELECT coalesce(max(batch), 0) FROM outbox_events WHERE published_at IS NOT NULL";

    private static final String RESHARD = """
            INSERT INTO outbox_settings (name, value) VALUES ('shards', :shards)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value""";

    private final Jdbi jdbi;
    private final OutboxTables tables;

    /** For the outbox in the current schema. */
    public OutboxAdmin(Jdbi jdbi) {
        this(jdbi, OutboxTables.DEFAULT);
    }

    /** For the outbox in these tables. */
    public OutboxAdmin(Jdbi jdbi, OutboxTables tables) {
        this.jdbi = jdbi;
        this.tables = tables;
    }

    /**
     * What is in the outbox of this topic, handed over or not, by id: for ids that the library made, about in the order in
     * which the events were made. To be looked at; changes nothing.
     *
     * @param after the last id of the page before; {@code null} for the first page
     * @param limit how many at most, 1 to 1,000
     * @throws IllegalArgumentException if the limit is another one
     */
    public List<StoredEvent> list(String topic, @Nullable UUID after, int limit) {
        Bounds.between("limit", limit, 1, LARGEST_PAGE);
        return jdbi.withHandle(handle -> handle.createQuery(tables.in(LIST))
                .bind("topic", topic)
                .bind("after", after == null ? FIRST : after)
                .bind("limit", limit)
                .map((row, context) -> ClaimQuery.event(row, row.getInt("attempts"), Parking.accepted(row)))
                .list());
    }

    /** How many events {@link #replay} would hand over again; changes nothing. */
    public long count(Replay which) {
        return jdbi.withHandle(handle -> handle.createQuery(tables.in(sql(COUNT, which)))
                .bindMap(which.parameters())
                .mapTo(Long.class)
                .one());
    }

    /**
     * Hands published events over again to all targets of their topics, in order, with their ids: a job that is still alive is
     * recognised and not doubled, one that is finished runs again, and guarded effects stay as they are. Events that are not
     * published when this is called are not touched.
     *
     * <p><b>Delivery.</b> In steps of {@value #STEP} events and {@value #ROWS} rows at most, each a transaction of its own, for
     * the length of which the relays wait. After a crash call it again with the rest.
     *
     * @param perSecond at most so many events per second
     * @return how many
     * @throws RuntimeException if a relay does not end its turn within 30 s; what was handed over before stands
     */
    public long replay(Replay which, int perSecond) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("perSecond is " + perSecond + "; it must be at least 1");
        }
        long last = jdbi.withHandle(
                handle -> handle.createQuery(tables.in(LAST)).mapTo(Long.class).one());
        int limit = Math.min(STEP, perSecond);
        long began = System.nanoTime();
        long done = 0;
        Optional<Step> step = Optional.of(new Step(-1, 0, List.of()));
        while (step.isPresent()) {
            pause(began, done, perSecond);
            step = step(which, step.get(), last, limit);
            done += step.map(Step::ids).map(List::size).orElse(0);
        }
        return done;
    }

    /**
     * A handle of its own: {@code jdbi.inTransaction} would join a transaction that the caller has open. No relay has a turn
     * meanwhile, so that whatever a queue remembers has a lower number, or a higher one and was handed over after this.
     */
    private Optional<Step> step(Replay which, Step before, long last, int limit) {
        try (Handle handle = jdbi.open()) {
            return handle.inTransaction(transaction -> {
                JdbiShard.lockAll(transaction, tables);
                Optional<Step> step = transaction
                        .createQuery(tables.in(sql(STEP_SQL, which)))
                        .bindMap(which.parameters())
                        .bind("batch", before.batch())
                        .bind("seq", before.seq())
                        .bind("last", last)
                        .bind("rows", ROWS)
                        .bind("limit", limit)
                        .map((row, context) -> new Step(row.getLong("batch"), row.getLong("seq"), List.of((String[])
                                row.getArray("ids").getArray())))
                        .findOne();
                if (step.isPresent() && !step.get().ids().isEmpty()) {
                    transaction
                            .createUpdate(tables.in(REPLAY))
                            .bind("sequence", tables.name("outbox_batches"))
                            .bindArray("ids", String.class, step.get().ids())
                            .execute();
                }
                return step;
            });
        }
    }

    /**
     * Splits the outbox into another number of shards. All relays must have been stopped gracefully, so that no batch is
     * unsettled; what queues lose before this is not healed any more.
     *
     * @throws IllegalArgumentException if it is not between 1 and 256
     */
    public void reshard(int shards) {
        Bounds.between("shards", shards, 1, OutboxStore.MOST_SHARDS);
        jdbi.useTransaction(handle -> {
            handle.createUpdate(tables.in(RESHARD))
                    .bind("shards", Integer.toString(shards))
                    .execute();
            // The shards begin with empty memories; without this they would seem to have lost everything.
            handle.createUpdate(tables.in("UPDATE outbox_routes SET since = nextval(CAST(:sequence AS regclass))"))
                    .bind("sequence", tables.name("outbox_batches"))
                    .execute();
        });
    }

    private static String sql(String template, Replay which) {
        List<String> conditions = new ArrayList<>(which.conditions());
        conditions.add("published_at IS NOT NULL");
        return template.replace("<condition>", String.join(" AND ", conditions));
    }

    private static void pause(long began, long done, int perSecond) {
        long due = began + done * 1_000_000_000L / perSecond;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("the replay was interrupted after " + done + " events");
            }
        }
    }

    /**
     * A step of a replay.
     *
     * @param batch with {@code seq}: the last row that was looked at
     * @param ids of what is replayed
     */
    private record Step(long batch, long seq, List<String> ids) {}
}
