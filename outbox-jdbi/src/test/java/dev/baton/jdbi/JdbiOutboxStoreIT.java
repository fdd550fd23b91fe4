package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxStore.PassResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Test;

class JdbiOutboxStoreIT {
    private final Jdbi jdbi = Database.fresh();
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter();
    private final JdbiOutboxStore store = new JdbiOutboxStore(jdbi);

    @Test
    void what_the_hand_over_returns_is_marked_and_nothing_else() {
        write("a", "b", "c");
        PassResult result = store.pass(
                Set.of("a", "b", "c"),
                10,
                events -> events.stream()
                        .filter(event -> !event.topic().equals("b"))
                        .map(Event::id)
                        .toList());
        assertThat(result).isEqualTo(new PassResult(true, 3, 2));
        assertThat(Database.published(jdbi)).containsExactly("a", "c");
    }

    @Test
    void events_come_in_the_order_in_which_they_were_written() {
        write("c", "a", "b");
        assertThat(read(Set.of("a", "b", "c"), 2)).containsExactly("c", "a");
    }

    @Test
    void a_hundred_unknown_topics_in_front_fill_no_batch_and_stay_where_they_are() {
        for (int i = 0; i < 100; i++) {
            write("unknown");
        }
        write("known");
        assertThat(read(Set.of("known"), 10)).containsExactly("known");
        assertThat(store.lag().unpublished()).isEqualTo(101);
    }

    @Test
    void a_hand_over_that_throws_marks_nothing() {
        write("a");
        assertThatThrownBy(() -> store.pass(Set.of("a"), 10, events -> {
                    throw new IllegalStateException("Redis is away");
                }))
                .hasMessage("Redis is away");
        assertThat(Database.published(jdbi)).isEmpty();
        assertThat(read(Set.of("a"), 10)).containsExactly("a");
    }

    @Test
    void a_second_relay_stands_by_while_the_first_is_at_work_and_takes_the_next_pass() {
        write("a");
        List<PassResult> second = new ArrayList<>();
        store.pass(Set.of("a"), 10, events -> {
            second.add(new JdbiOutboxStore(jdbi).pass(Set.of("a"), 10, more -> List.of()));
            return List.of();
        });
        assertThat(second).containsExactly(PassResult.STANDBY);
        assertThat(store.pass(Set.of("a"), 10, events -> List.of()).lockHeld()).isTrue();
    }

    @Test
    void the_outbox_of_another_schema_has_a_relay_of_its_own() {
        write("a");
        List<PassResult> other = new ArrayList<>();
        store.pass(Set.of("a"), 10, events -> {
            other.add(new JdbiOutboxStore(Database.fresh()).pass(Set.of("a"), 10, more -> List.of()));
            return List.of();
        });
        assertThat(other).containsExactly(new PassResult(true, 0, 0));
    }

    @Test
    void a_pass_does_not_join_a_transaction_that_its_thread_has_open() {
        write("a");
        jdbi.useHandle(handle -> {
            handle.begin();
            assertThat(pass("a")).isEqualTo(1);
            handle.rollback();
        });
        assertThat(Database.published(jdbi)).containsExactly("a");
    }

    @Test
    void an_event_of_a_transaction_that_commits_late_is_not_passed_over() {
        try (Handle late = jdbi.open()) {
            late.begin();
            writer.write(late, Event.of("late", 1, "{}"));
            write("early");
            assertThat(pass("late", "early")).isEqualTo(1);
            late.commit();
        }
        assertThat(pass("late", "early")).isEqualTo(1);
        assertThat(Database.published(jdbi)).containsExactlyInAnyOrder("early", "late");
    }

    @Test
    void a_relay_that_stalls_in_mid_batch_loses_its_transaction_and_another_goes_on() {
        write("a");
        JdbiOutboxStore stalling = new JdbiOutboxStore(jdbi, Duration.ofMillis(200));
        assertThatThrownBy(() -> stalling.pass(Set.of("a"), 10, events -> {
                    await().until(() -> pass("a") == 1);
                    return events.stream().map(Event::id).toList();
                }))
                .isInstanceOf(JdbiException.class);
        assertThat(Database.published(jdbi)).containsExactly("a");
    }

    @Test
    void the_lag_is_the_age_of_the_oldest_unpublished_event() {
        assertThat(store.lag().oldestAge()).isEqualTo(Duration.ZERO);
        write("a");
        jdbi.useHandle(handle -> handle.execute("UPDATE outbox_events SET created_at = now() - interval '1 hour'"));
        assertThat(store.lag().unpublished()).isEqualTo(1);
        assertThat(store.lag().oldestAge()).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
    }

    private void write(String... topics) {
        for (String topic : topics) {
            jdbi.useTransaction(tx -> writer.write(tx, Event.of(topic, 1, "{}")));
        }
    }

    private List<String> read(Set<String> topics, int limit) {
        List<String> read = new ArrayList<>();
        store.pass(topics, limit, events -> {
            events.forEach(event -> read.add(event.topic()));
            return List.of();
        });
        return read;
    }

    private int pass(String... topics) {
        return store.pass(
                        Set.of(topics),
                        10,
                        events -> events.stream().map(Event::id).toList())
                .published();
    }
}
