package dev.baton.jdbi;

import dev.baton.internal.Bounds;
import dev.baton.outbox.OutboxStore;
import dev.baton.outbox.StoredEvent;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** What an operator does with an outbox by hand. Thread-safe. */
public final class OutboxAdmin {
    private static final int LARGEST_PAGE = 1_000;
    private static final UUID FIRST = new UUID(0, 0);

    private static final String COUNT = "SELECT count(*) FROM outbox_events WHERE <condition>";

    private static final String LIST = "SELECT " + ClaimQuery.COLUMNS + """
            , coalesce(p.attempts, 0) AS attempts, coalesce(p.accepted, '{}') AS accepted
            FROM outbox_events e LEFT JOIN outbox_parked p ON p.seq = e.seq
            WHERE e.topic = :topic AND e.id > :after ORDER BY e.id LIMIT :limit""";

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
        return jdbi.withHandle(handle -> handle.createQuery(tables.in(COUNT.replace("<condition>", which.condition())))
                .bindMap(which.parameters())
                .mapTo(Long.class)
                .one());
    }

    /**
     * Hands published events over again to all targets of their topics, in order, with their ids: a job that is still alive is
     * recognised and not doubled, one that is finished runs again, and guarded effects stay as they are. Events that are not
     * published when this is called are not touched.
     *
     * <p><b>Delivery.</b> In steps of 500 events and 10,000 rows at most, each a transaction of its own, for
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
        return new ReplayRun(jdbi, tables, which, perSecond).run();
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
}
