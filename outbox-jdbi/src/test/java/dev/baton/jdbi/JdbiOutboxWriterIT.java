package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.outbox.Event;
import dev.baton.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
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
        List<Event> read = new ArrayList<>();
        new JdbiOutboxStore(jdbi).pass(java.util.Set.of("order.placed"), 10, events -> {
            read.addAll(events);
            return List.of();
        });
        assertThat(read)
                .singleElement()
                .satisfies(event -> assertThat(event.headers()).containsEntry(Trace.CORRELATION_ID, "request-9"));
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
    void a_payload_that_is_not_json_fails_the_transaction_and_leaves_nothing() {
        assertThatThrownBy(() -> jdbi.useTransaction(tx -> writer.write(tx, Event.of("order.placed", 1, "{"))))
                .isInstanceOf(JdbiException.class)
                .hasMessageContaining("invalid input syntax for type json");
        assertThat(Database.topics(jdbi)).isEmpty();
    }

    private int statements() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT count(*) FROM statements")
                .mapTo(Integer.class)
                .one());
    }
}
