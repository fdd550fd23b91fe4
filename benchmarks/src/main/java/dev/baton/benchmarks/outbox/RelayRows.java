package dev.baton.benchmarks.outbox;

import com.sun.management.OperatingSystemMXBean;
import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.FreshDatabase;
import dev.baton.benchmarks.Sizes;
import dev.baton.benchmarks.outbox.Baton.BatonSession;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;

/** Our relay under what makes others slow, beside itself undisturbed. */
final class RelayRows {
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final int TIMES_PUBLISHED = 10;

    /** Of a million: some seconds of work, so that one pause of the machine is not the figure. */
    private static final int MEASURED = 5;

    private final URI redis;
    private final Sizes sizes;

    RelayRows(URI redis, Sizes sizes) {
        this.redis = redis;
        this.sizes = sizes;
    }

    Map<Figure, Double> undisturbed() throws Exception {
        return disturbed(session -> {}, 0, measured(), false);
    }

    /** A snapshot from before the first event stays open, while a million events pass before those that are measured. */
    Map<Figure, Double> underSnapshot() throws Exception {
        return disturbed(session -> {}, sizes.million(), measured(), true);
    }

    /** The same without the snapshot: a table through which a million events went is slower than an empty one. */
    Map<Figure, Double> afterAsMany() throws Exception {
        return disturbed(session -> {}, sizes.million(), measured(), false);
    }

    /** Ten million published rows are in the table. */
    Map<Figure, Double> besidePublished() throws Exception {
        return disturbed(session -> publish(session.jdbi()), 0, measured(), false);
    }

    /** A million events, written while statistics say that the table is empty. */
    Map<Figure, Double> backlog() throws Exception {
        return disturbed(
                session -> session.jdbi().useHandle(handle -> {
                    handle.execute("ALTER TABLE outbox_events SET (autovacuum_enabled = off)");
                    handle.execute("ANALYZE outbox_events");
                }),
                0,
                sizes.million(),
                false);
    }

    /** In front are two events that can never go; both come again and again until they are given up. */
    Map<Figure, Double> behindPoison() throws Exception {
        return disturbed(session -> session.record(Poison.events()), 0, measured(), false);
    }

    private Map<Figure, Double> disturbed(Before before, int unmeasured, int measured, boolean snapshot)
            throws Exception {
        return FreshDatabase.use(Library.CONNECTIONS, pool -> {
            try (BatonSession session = new Baton(redis, 1, false).open(pool);
                    Connection old = pool.getConnection()) {
                if (snapshot) {
                    hold(old);
                }
                before.run(session);
                if (unmeasured > 0) {
                    pass(session, unmeasured);
                }
                session.backlog(measured);
                try (Heap heap = Heap.watch()) {
                    long cpu = PROCESS.getProcessCpuTime();
                    double perSecond = Measured.drain(session, measured);
                    double micros = (PROCESS.getProcessCpuTime() - cpu) / 1e3 / measured;
                    return Map.of(Figure.EVENTS, perSecond, Figure.HEAP, heap.megabytes(), Figure.OWN_CPU, micros);
                }
            }
        });
    }

    private static void pass(BatonSession session, int events) {
        session.start(payload -> {});
        session.backlog(events);
        Measured.await(() -> session.handed() >= events, "what comes before");
        session.stop();
    }

    private static void hold(Connection connection) throws Exception {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT count(*) FROM outbox_events");
        }
    }

    private void publish(Jdbi jdbi) {
        jdbi.useHandle(handle -> {
            handle.execute(
                    "INSERT INTO outbox_events (id, topic, aggregate_id, payload, published_at, batch)"
                            + " SELECT gen_random_uuid(), 'order.placed', n::text, ?::jsonb, now(), 0"
                            + " FROM generate_series(1, ?) AS n",
                    Payloads.of(1),
                    TIMES_PUBLISHED * sizes.million());
            handle.execute("VACUUM ANALYZE outbox_events");
        });
    }

    private int measured() {
        return sizes.million() / MEASURED;
    }

    private interface Before {
        void run(BatonSession session);
    }
}
