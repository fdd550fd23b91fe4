package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.outbox.Event;
import dev.baton.outbox.TypedTopic;
import dev.baton.outbox.WriteAnswer;
import dev.baton.trace.Trace;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class JdbiOutboxWriterIT {
    private final Jdbi jdbi = Database.fresh();
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter();

    @Test
    void an_event_exists_if_its_transaction_committed() {
        jdbi.useTransaction(tx -> writer.write(tx, Event.of("order.placed", 1, "{}")));
        assertThat(Database.topics(jdbi)).containsExactly("order.placed");
    }

    @Test
    void a_rollback_of_the_business_transaction_leaves_no_event() {
        assertThatThrownBy(() -> jdbi.useTransaction(tx -> {
                    writer.write(tx, Event.of("order.placed", 1, "{}"));
                    throw new IllegalStateException("no stock");
                }))
                .hasMessage("no stock");
        assertThat(Database.topics(jdbi)).isEmpty();
    }

    @Test
    void a_rollback_to_a_savepoint_takes_back_only_what_came_after_it() {
        jdbi.useTransaction(tx -> {
            writer.write(tx, Event.of("kept", 1, "{}"));
            tx.savepoint("middle");
            writer.write(tx, Event.of("taken-back", 1, "{}"));
            tx.rollbackToSavepoint("middle");
        });
        assertThat(Database.topics(jdbi)).containsExactly("kept");
    }

    @Test
    void a_handle_outside_a_transaction_is_refused_and_nothing_is_written() {
        jdbi.useHandle(handle -> assertThatThrownBy(() -> writer.write(handle, Event.of("order.placed", 1, "{}")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not in a transaction")
                .hasMessageContaining("useTransaction"));
        assertThat(Database.topics(jdbi)).isEmpty();
    }

    @Test
    void the_trace_of_the_request_travels_in_the_row() {
        SpanContext span = SpanContext.create(
                "0af7651916cd43dd8448eb211c80319c",
                "b7ad6b7169203331",
                TraceFlags.getSampled(),
                TraceState.getDefault());
        try (Scope scope = Span.wrap(span).makeCurrent()) {
            assertThat(scope).isNotNull();
            jdbi.useTransaction(tx -> writer.write(tx, Event.of(PLACED, 1, new Placed(7))));
        }
        assertThat(Database.claim(jdbi, "order.placed")).singleElement().satisfies(stored -> {
            assertThat(stored.payload()).isEqualTo("{\"total\": 7}");
            assertThat(stored.event().headers())
                    .containsEntry("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        });
    }

    @Test
    void the_writers_neither_end_nor_alter_the_callers_connection() throws Exception {
        try (Handle handle = jdbi.open()) {
            handle.begin();
            Connection watched = watched(handle.getConnection());
            List<Event> events = List.of(Event.of("a", 1, "{}"), Event.of("b", 1, "{}"));
            new JdbcOutboxWriter().write(watched, events.get(0));
            new JdbcOutboxWriter().write(watched, events);
            handle.commit();
        }
        assertThat(Database.topics(jdbi)).containsExactly("a", "b");
    }

    /** Refuses whatever would end or alter the transaction or the connection. */
    private static Connection watched(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().matches("commit|rollback|close|abort|set.*|releaseSavepoint")) {
                        throw new AssertionError(method.getName() + " was called");
                    }
                    return method.invoke(real, arguments);
                });
    }

    private static final TypedTopic<Placed> PLACED = TypedTopic.of("order.placed", Placed.class);

    record Placed(long total) {}

    @Test
    void many_events_are_one_statement_and_keep_their_order() {
        List<Event> events = new ArrayList<>();
        List<String> topics = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            events.add(Event.of("topic-" + i, 1, "{\"n\":" + i + "}"));
            topics.add("topic-" + i);
        }
        jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE statements (n int)");
            handle.execute("CREATE FUNCTION counted() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN INSERT INTO statements VALUES (1); RETURN NULL; END'");
            handle.execute("CREATE TRIGGER counted AFTER INSERT ON outbox_events"
                    + " FOR EACH STATEMENT EXECUTE FUNCTION counted()");
        });
        jdbi.useTransaction(tx -> writer.write(tx, events));
        assertThat(Database.topics(jdbi)).isEqualTo(topics);
        assertThat(statements()).isEqualTo(1);
    }

    @Test
    void the_correlation_id_of_the_writing_thread_travels_in_the_headers() {
        MDC.put(Trace.CORRELATION_ID, "request-9");
        try {
            jdbi.useTransaction(tx -> writer.write(tx, Event.of("order.placed", 1, "{}")));
        } finally {
            MDC.remove(Trace.CORRELATION_ID);
        }
        assertThat(Database.claim(jdbi, "order.placed"))
                .singleElement()
                .satisfies(
                        event -> assertThat(event.event().headers()).containsEntry(Trace.CORRELATION_ID, "request-9"));
    }

    @Test
    void the_hook_runs_after_the_commit_and_not_after_a_rollback() {
        List<Integer> visible = new ArrayList<>();
        JdbiOutboxWriter hooked =
                new JdbiOutboxWriter(() -> visible.add(Database.topics(jdbi).size()));
        jdbi.useTransaction(tx -> {
            hooked.write(tx, Event.of("order.placed", 1, "{}"));
            assertThat(visible).isEmpty();
        });
        jdbi.useHandle(handle -> {
            handle.begin();
            hooked.write(handle, Event.of("order.placed", 2, "{}"));
            handle.rollback();
        });
        assertThat(visible).containsExactly(1);
    }

    @Test
    void a_hook_that_throws_does_not_reach_the_caller_whose_commit_stood() {
        JdbiOutboxWriter hooked = new JdbiOutboxWriter(() -> {
            throw new IllegalStateException("hook");
        });
        jdbi.useTransaction(tx -> hooked.write(tx, Event.of("order.placed", 1, "{}")));
        assertThat(Database.topics(jdbi)).containsExactly("order.placed");
    }

    @Test
    void a_duplicate_id_is_answered_and_leaves_the_transaction_usable() {
        Event first = Event.of("order.placed", 1, "{}");
        jdbi.useTransaction(tx -> assertThat(writer.write(tx, first)).isEqualTo(WriteAnswer.WRITTEN));
        jdbi.useTransaction(tx -> {
            assertThat(writer.write(tx, first)).isEqualTo(WriteAnswer.DUPLICATE);
            Event second = Event.of("order.paid", 1, "{}");
            assertThat(writer.write(tx, List.of(first, second, second)))
                    .containsExactly(WriteAnswer.DUPLICATE, WriteAnswer.WRITTEN, WriteAnswer.DUPLICATE);
            tx.execute("CREATE TABLE business (n int)");
        });
        assertThat(Database.topics(jdbi)).containsExactly("order.placed", "order.paid");
    }

    @Test
    void a_plain_jdbc_connection_will_do_but_not_in_autocommit_mode() throws Exception {
        JdbcOutboxWriter plain = new JdbcOutboxWriter();
        Event event = Event.of("order.placed", 1, "{}").notBefore(Instant.parse("2030-01-01T00:00:00Z"));
        try (Handle handle = jdbi.open()) {
            Connection connection = handle.getConnection();
            assertThatThrownBy(() -> plain.write(connection, event))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("autocommit");
            connection.setAutoCommit(false);
            plain.write(connection, event);
            plain.write(connection, List.of(event.withId(UUID.randomUUID()), Event.of("order.paid", 1, "{}")));
            connection.rollback();
            plain.write(connection, event);
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(Database.claim(jdbi, "order.placed"))
                .singleElement()
                .satisfies(stored -> assertThat(stored.event()).isEqualTo(event));
    }

    private int statements() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT count(*) FROM statements")
                .mapTo(Integer.class)
                .one());
    }
}
