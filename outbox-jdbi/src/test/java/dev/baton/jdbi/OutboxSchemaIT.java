package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class OutboxSchemaIT {
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
}
