package dev.baton.jdbi;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class OutboxSchemaIT {
    private static final long TRY_NANOS = 250_000_000;
    private static final int ROWS = Integer.getInteger("baton.upgrade.rows", 200_000);

    private final Jdbi jdbi = Database.empty();

    @Test
    void eight_nodes_may_migrate_at_once_and_again() throws Exception {
        ExecutorService nodes = Executors.newFixedThreadPool(8);
        try {
            Callable<String> node = () -> {
                OutboxSchema.migrate(jdbi);
                return "done";
            };
            List<Future<String>> results =
                    nodes.invokeAll(Stream.generate(() -> node).limit(8).toList());
            for (Future<String> result : results) {
                assertThat(result.get()).isEqualTo("done");
            }
        } finally {
            nodes.shutdownNow();
        }
        OutboxSchema.migrate(jdbi);
        assertThat(Database.topics(jdbi)).isEmpty();
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT)).isEmpty();
    }

    @Test
    void the_check_tells_what_is_missing_or_differs_and_migrate_brings_it_back() {
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT))
                .anyMatch(problem -> problem.contains("table \"outbox_events\" is missing"));
        OutboxSchema.migrate(jdbi);
        jdbi.useHandle(handle -> {
            handle.execute("DROP INDEX outbox_late");
            handle.execute("DROP INDEX outbox_unpublished");
            handle.execute("CREATE INDEX outbox_unpublished ON outbox_events (seq) WHERE published_at IS NULL");
            handle.execute("DROP INDEX outbox_batch");
            handle.execute("CREATE INDEX outbox_batch ON outbox_events (seq) WHERE published_at IS NOT NULL");
            handle.execute("DROP INDEX outbox_parked_due");
            handle.execute("CREATE INDEX outbox_parked_due ON outbox_parked (seq)");
            handle.execute("DROP INDEX dead_letters_queue");
            handle.execute("CREATE INDEX dead_letters_queue ON dead_letters (id)");
            handle.execute("ALTER TABLE outbox_parked ALTER COLUMN reason TYPE varchar(10)");
            handle.execute("DROP TABLE outbox_routes");
        });
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT))
                .containsExactly(
                        "column reason text of \"outbox_parked\" is missing or has another type",
                        "table \"outbox_routes\" is missing",
                        "index \"outbox_unpublished\" is another one than this version needs",
                        "index \"outbox_late\" is missing",
                        "index \"outbox_batch\" is another one than this version needs",
                        "index \"outbox_parked_due\" is another one than this version needs",
                        "index \"dead_letters_queue\" is another one than this version needs");
        jdbi.useHandle(handle -> handle.execute("ALTER TABLE outbox_parked ALTER COLUMN reason TYPE text"));
        OutboxSchema.migrate(jdbi);
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT)).isEmpty();
        jdbi.useHandle(handle -> handle.execute("ALTER TABLE outbox_events ALTER COLUMN xact_id DROP DEFAULT"));
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT))
                .singleElement()
                .asString()
                .contains("has not the default pg_current_xact_id()");
    }

    @Test
    void the_tables_may_be_in_another_schema_and_have_a_prefix_with_odd_names() {
        jdbi.useHandle(handle -> handle.execute("CREATE SCHEMA IF NOT EXISTS \"Odd 'schema\""));
        OutboxTables tables = OutboxTables.DEFAULT.inSchema("Odd 'schema").withPrefix("My ");
        OutboxSchema.migrate(jdbi, tables);
        OutboxSchema.migrate(jdbi, tables);
        assertThat(OutboxSchema.check(jdbi, tables)).isEmpty();
        MemorySink queue = new MemorySink("q");
        JdbiOutboxWriter writer = new JdbiOutboxWriter(tables, () -> {});
        jdbi.useTransaction(tx -> writer.write(tx, Event.of("a", 1, "{}")));
        Routes routes = Routes.builder().route("a", queue, "x").build();
        JdbiOutboxStore store = new JdbiOutboxStore(jdbi, tables);
        Relay relay = Relay.builder(store, routes).build();
        assertThat(relay.runOnce().published()).isEqualTo(1);
        queue.flush();
        Relay second = Relay.builder(store, routes).build();
        second.runOnce();
        assertThat(queue.topics()).containsExactly("a");
        assertThat(second.lag().unpublished()).isZero();
        int rows = jdbi.withHandle(
                handle -> handle.createQuery("SELECT count(*) FROM \"Odd 'schema\".\"My outbox_events\"")
                        .mapTo(Integer.class)
                        .one());
        assertThat(rows).isEqualTo(1);
        jdbi.useHandle(handle -> handle.execute("DROP SCHEMA \"Odd 'schema\" CASCADE"));
    }

    @Test
    void names_that_cannot_be_quoted_safely_are_refused() {
        assertThatThrownBy(() -> OutboxTables.DEFAULT.withPrefix("a\"; DROP TABLE x; --"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("double quote");
        assertThatThrownBy(() -> OutboxTables.DEFAULT.inSchema("x".repeat(31))).hasMessageContaining("at most 30");
    }

    @Test
    void the_upgrade_of_a_large_table_in_use_lets_writers_wait_for_less_than_a_second() throws Exception {
        jdbi.useHandle(handle -> {
            createFirstVersion(handle);
            // As it was before version 3 gave it a condition of its own.
            handle.execute("CREATE INDEX outbox_unpublished ON outbox_events (seq) WHERE published_at IS NULL");
            handle.execute(
                    "INSERT INTO outbox_events (id, topic, aggregate_id, payload, published_at) SELECT gen_random_uuid(), 't',"
                            + " n::text, '{}', CASE WHEN n % 10 > 0 THEN now() END FROM generate_series(1, ?) AS n",
                    ROWS);
        });
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong longest = new AtomicLong();
        Thread writer = new Thread(() -> {
            while (!done.get()) {
                longest.accumulateAndGet(write(), Math::max);
            }
        });
        writer.start();
        long began = System.nanoTime();
        OutboxSchema.migrate(jdbi);
        done.set(true);
        writer.join();
        System.out.printf(
                "BENCH upgrade of %,d rows: %.1f s, a writer waited %.0f ms at most%n",
                ROWS, (System.nanoTime() - began) / 1e9, longest.get() / 1e6);
        assertThat(longest.get()).isLessThan(1_000_000_000L);
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT)).isEmpty();
        MemorySink queue = new MemorySink("q");
        Relay relay = Relay.builder(
                        new JdbiOutboxStore(jdbi),
                        Routes.builder().route("t", queue, "x").build())
                .batchSize(5_000)
                .build();
        while (relay.runOnce().more()) {
            // One more.
        }
        assertThat(relay.lag().unpublished()).isZero();
        assertThat(queue.taken().size()).isGreaterThanOrEqualTo(ROWS / 10);
    }

    @Test
    void while_an_older_transaction_holds_the_table_writers_go_on_and_the_upgrade_waits() throws Exception {
        jdbi.useHandle(OutboxSchemaIT::createFirstVersion);
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong longest = new AtomicLong();
        AtomicInteger waits = new AtomicInteger();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            while (!done.get()) {
                long took = write();
                longest.accumulateAndGet(took, Math::max);
                waits.addAndGet(took > TRY_NANOS / 2 ? 1 : 0);
            }
        });
        CompletableFuture<Void> upgrade;
        try (Handle older = jdbi.open()) {
            older.begin();
            older.execute("LOCK TABLE outbox_events IN ACCESS SHARE MODE");
            upgrade = CompletableFuture.runAsync(() -> OutboxSchema.migrate(jdbi));
            await().until(() -> waits.get() >= 2);
            assertThat(upgrade).isNotDone();
            older.commit();
        }
        upgrade.join();
        done.set(true);
        writer.join();
        assertThat(longest.get()).isLessThan(1_000_000_000L);
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT)).isEmpty();
    }

    @Test
    void who_cannot_get_the_lock_is_told_what_to_do() {
        jdbi.useHandle(OutboxSchemaIT::createFirstVersion);
        try (Handle older = jdbi.open()) {
            older.begin();
            older.execute("LOCK TABLE outbox_events IN ACCESS SHARE MODE");
            assertThatThrownBy(() -> SchemaLock.patiently(
                            () -> jdbi.useTransaction(tx -> {
                                tx.execute(SchemaLock.LOCK_TIMEOUT);
                                tx.execute("ALTER TABLE outbox_events ADD COLUMN x int");
                            }),
                            TRY_NANOS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("pg_stat_activity");
            older.rollback();
        }
    }

    @Test
    void an_index_whose_building_failed_is_built_again() {
        OutboxSchema.migrate(jdbi);
        jdbi.useHandle(handle -> {
            handle.execute("DROP INDEX outbox_batch");
            handle.execute("INSERT INTO outbox_events (id, topic, aggregate_id, payload, published_at, batch)"
                    + " SELECT gen_random_uuid(), 't', 'a', '{}', now(), 1 FROM generate_series(1, 2)");
            assertThatThrownBy(() ->
                            handle.execute("CREATE UNIQUE INDEX CONCURRENTLY outbox_batch ON outbox_events (batch)"
                                    + " WHERE published_at IS NOT NULL"))
                    .hasMessageContaining("could not create unique index");
        });
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT))
                .containsExactly("index \"outbox_batch\" is unfinished");
        OutboxSchema.migrate(jdbi);
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT)).isEmpty();
    }

    private static void createFirstVersion(Handle handle) {
        for (String sql : resource("V1__outbox.sql").replaceAll("(?m)--.*$", "").split(";", -1)) {
            if (!sql.isBlank()) {
                handle.execute(sql);
            }
        }
    }

    /** How long it took, in nanoseconds. */
    private long write() {
        long began = System.nanoTime();
        jdbi.useTransaction(tx -> tx.execute("INSERT INTO outbox_events (id, topic, aggregate_id, payload)"
                + " VALUES (gen_random_uuid(), 't', 'a', '{}')"));
        return System.nanoTime() - began;
    }

    private static String resource(String name) {
        try (InputStream in = requireNonNull(OutboxSchema.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
