package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.PgBouncer;
import dev.baton.servers.Postgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writers and relays through PgBouncer in transaction mode: any two transactions may be in one session, or in two. */
@Timeout(60)
class PoolerIT {
    private static final int CONNECTIONS = 4;
    private static final int WRITERS = 6;
    private static final int EACH = 50;

    private final String url = Postgres.freshSchema();
    private final Jdbi direct = Jdbi.create(Postgres.dataSource(url));
    private final OutboxTables tables = OutboxTables.DEFAULT.inSchema(url.replaceAll(".*currentSchema=", ""));
    private final MemorySink queue = new MemorySink("q");

    @Test
    void everything_arrives_once_and_in_order_and_no_setting_stays_in_a_session() throws Exception {
        assumeThat(PgBouncer.isInstalled())
                .as("pgbouncer is not on the PATH; Debian's package has that name")
                .isTrue();
        OutboxSchema.migrate(direct, tables);
        try (PgBouncer bouncer = PgBouncer.start(CONNECTIONS);
                Relay one = relay(bouncer);
                Relay two = relay(bouncer)) {
            write(jdbi(bouncer), one::nudge);
            await().until(() -> queue.taken().size() == WRITERS * EACH);
            await().until(() -> one.lag().unpublished() == 0);
            assertThat(one.status().published() + two.status().published()).isEqualTo(WRITERS * EACH);
            assertThat(one.status().lastError()).isNull();
            assertThat(two.status().lastError()).isNull();
            assertOrder();
            assertUntouched(jdbi(bouncer));
            // Sessions that end: the relays go on in new ones.
            direct.useHandle(handle -> handle.createQuery("SELECT pg_terminate_backend(pid, 5000) FROM"
                            + " pg_stat_activity WHERE application_name = 'through-pooler'")
                    .mapTo(Boolean.class)
                    .list());
            direct.useTransaction(
                    tx -> new JdbiOutboxWriter(tables, () -> {}).write(tx, Event.of("a", "last", "\"last\"")));
            await().atMost(Duration.ofSeconds(5)).until(() -> queue.taken().size() == WRITERS * EACH + 1);
        }
    }

    private Relay relay(PgBouncer bouncer) {
        Routes routes = Routes.builder().route("a", queue, "x").build();
        return Relay.builder(new JdbiOutboxStore(jdbi(bouncer), tables), routes)
                .shards(2)
                .batchSize(20)
                .start();
    }

    /** What this mode asks for: PgBouncer before 1.21 knows no prepared statements. */
    private static Jdbi jdbi(PgBouncer bouncer) {
        return Jdbi.create(
                Postgres.dataSource(bouncer.jdbcUrl() + "?prepareThreshold=0&ApplicationName=through-pooler"));
    }

    private void write(Jdbi jdbi, Runnable nudge) throws Exception {
        JdbiOutboxWriter writer = new JdbiOutboxWriter(tables, nudge);
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<Future<?>> done = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            String aggregate = "aggregate-" + w;
            done.add(threads.submit(() -> {
                try (Handle handle = jdbi.open()) {
                    for (int i = 0; i < EACH; i++) {
                        Event event = Event.of("a", aggregate, i);
                        handle.useTransaction(tx -> writer.write(tx, event));
                    }
                }
            }));
        }
        for (Future<?> each : done) {
            each.get();
        }
        threads.shutdown();
    }

    private void assertOrder() {
        Map<String, List<Integer>> numbers = new HashMap<>();
        for (Event event : queue.taken()) {
            numbers.computeIfAbsent(event.aggregateId(), id -> new ArrayList<>())
                    .add(Integer.parseInt(event.payload()));
        }
        assertThat(numbers).hasSize(WRITERS);
        numbers.values()
                .forEach(each -> assertThat(each)
                        .isEqualTo(IntStream.range(0, EACH).boxed().toList()));
    }

    /** All sessions at once, so that each of them is looked at. */
    private static void assertUntouched(Jdbi pooled) {
        List<Handle> handles = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS - 2; i++) {
                Handle handle = pooled.open();
                handles.add(handle);
                handle.begin();
                assertThat(handle.createQuery("SELECT current_setting('statement_timeout') || ' '"
                                        + " || current_setting('enable_seqscan') || ' ' || current_setting('jit') || ' '"
                                        + " || current_setting('idle_in_transaction_session_timeout')")
                                .mapTo(String.class)
                                .one())
                        .isEqualTo("0 on on 0");
            }
        } finally {
            handles.forEach(handle -> {
                handle.rollback();
                handle.close();
            });
        }
    }
}
