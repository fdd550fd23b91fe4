package dev.baton.examples.tickets.demo;

import static java.util.stream.Collectors.toMap;

import dev.baton.examples.demo.JobTotals;
import dev.baton.examples.service.Database;
import dev.baton.examples.tickets.TicketsConfig;
import dev.baton.examples.tickets.TicketsQueue;
import dev.baton.examples.tickets.TicketsWorker;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.redis.QueueCounts;
import dev.baton.redis.RedisQueues;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Looks at everything and changes nothing. */
public final class Auditor implements AutoCloseable {
    private static final int MOST_LETTERS = 1_000;
    private static final int MOST_TRIES = 20;

    private final Database database;
    private final RedisQueues queues;

    /** An auditor of this ticket office, with connections of its own. */
    public Auditor(TicketsConfig config) {
        this.database = Database.open(config.databaseUrl(), TicketsWorker.class);
        this.queues = RedisQueues.connect(config.redis(), config.prefix());
    }

    /** How far things are. Cheap enough for several times a second. */
    public TicketsProgress look(int wanted, Memories told) {
        QueueCounts counts = counts();
        return new TicketsProgress(
                wanted,
                told.booked(),
                told.ended(),
                count("SELECT count(*) FROM orders WHERE status = 'paid'"),
                count("SELECT count(*) FROM orders WHERE expired"),
                locked(),
                counts.totals().reclaimed(),
                counts.pending(),
                unpublished());
    }

    /** What there is. */
    public Findings findings() {
        return new Findings(
                times("SELECT id::text FROM orders WHERE status = 'paid'"),
                times("SELECT id::text FROM orders WHERE status = 'cancelled' AND NOT expired"),
                times("SELECT id || ' of ' || order_id FROM seats WHERE status = 'sold'"),
                locked(),
                releases(),
                unpublished(),
                counts().pending(),
                new JdbiDeadLetterStore(database.jdbi()).open(MOST_LETTERS));
    }

    /** How often what happened to jobs. */
    public Map<String, Long> jobTotals() {
        return JobTotals.of(List.of(counts()));
    }

    /** What the database's clock says. */
    public Instant now() {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT clock_timestamp() AS now")
                        .map((row, context) -> time(row, "now"))
                        .one());
    }

    /** Returns as soon as Redis answers again. */
    public void awaitRedis() {
        for (int tries = 1; ; tries++) {
            try {
                counts();
                return;
            } catch (RuntimeException e) {
                // The connections from before are broken; the first call finds out.
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        queues.close();
        database.close();
    }

    private QueueCounts counts() {
        return queues.queue(TicketsQueue.RELEASE).counts();
    }

    private long unpublished() {
        return new JdbiOutboxStore(database.jdbi()).lag(Set.of()).unpublished();
    }

    private long locked() {
        return count("SELECT count(*) FROM seats WHERE status = 'locked'");
    }

    private long count(String sql) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery(sql).mapTo(Long.class).one());
    }

    private Map<String, Integer> times(String sql) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery(sql).mapTo(String.class).stream()
                        .collect(toMap(id -> id, id -> 1, Integer::sum)));
    }

    private List<Release> releases() {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT * FROM orders WHERE expired")
                        .map((row, context) ->
                                new Release(row.getLong("id"), time(row, "expires_at"), time(row, "closed_at")))
                        .list());
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
