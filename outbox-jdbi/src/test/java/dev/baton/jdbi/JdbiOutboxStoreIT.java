package dev.baton.jdbi;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxShard;
import dev.baton.outbox.OutboxShard.Claim;
import dev.baton.outbox.OutboxShard.Published;
import dev.baton.outbox.OutboxShard.Turn;
import dev.baton.outbox.OutboxStore.Target;
import dev.baton.outbox.StoredEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JdbiOutboxStoreIT {
    private static final Set<String> ALL = Set.of("a", "b", "c");
    private static final JdbiShard.Limits QUICK = new JdbiShard.Limits(Duration.ofMillis(200), Duration.ofSeconds(15));

    private final Jdbi jdbi = Database.fresh();
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter();
    private final JdbiOutboxStore store = new JdbiOutboxStore(jdbi);
    private final OutboxShard shard = store.shard(0, 1, ALL);

    @Test
    void what_is_published_and_committed_does_not_come_again_and_the_rest_does() {
        write("a", "b", "c");
        try (Turn turn = shard.turn().orElseThrow()) {
            turn.publish(turn.claim(2).events(), turn.number());
            turn.commit();
        }
        assertThat(Database.published(jdbi)).containsExactly("a", "b");
        assertThat(claim(10)).containsExactly("c");
    }

    @Test
    void events_come_in_the_order_in_which_they_were_written() {
        write("c", "a", "b");
        assertThat(claim(2)).containsExactly("c", "a");
    }

    @Test
    void a_turn_that_was_not_committed_marks_nothing_and_its_events_come_again() {
        write("a");
        try (Turn turn = shard.turn().orElseThrow()) {
            turn.publish(turn.claim(10).events(), turn.number());
        }
        assertThat(Database.published(jdbi)).isEmpty();
        assertThat(claim(10)).containsExactly("a");
    }

    @Test
    void a_hundred_unknown_topics_in_front_fill_no_batch_stay_where_they_are_and_are_counted() {
        for (int i = 0; i < 150; i++) {
            write("unknown");
        }
        write("a");
        assertThat(claim(10)).containsExactly("a");
        assertThat(store.lag(ALL)).satisfies(lag -> {
            assertThat(lag.unpublished()).isEqualTo(151);
            assertThat(lag.unknown()).isEqualTo(150);
        });
        assertThat(pass()).isEqualTo(1);
        assertThat(shard.waiting()).isFalse();
        OutboxShard newer = store.shard(0, 1, Set.of("a", "unknown"));
        assertThat(newer.waiting()).isTrue();
        assertThat(pass(newer, 200)).isEqualTo(150);
    }

    @Test
    void a_second_relay_stands_by_while_the_first_is_at_work_and_takes_the_next_turn() {
        write("a");
        try (Turn turn = shard.turn().orElseThrow()) {
            assertThat(turn.claim(10).events()).hasSize(1);
            assertThat(new JdbiOutboxStore(jdbi).shard(0, 1, ALL).turn()).isEmpty();
        }
        try (Turn next = new JdbiOutboxStore(jdbi).shard(0, 1, ALL).turn().orElseThrow()) {
            assertThat(next.claim(10).events()).hasSize(1);
        }
    }

    @Test
    void the_outbox_of_another_schema_and_another_shard_have_relays_of_their_own() {
        OutboxShard other = new JdbiOutboxStore(Database.fresh()).shard(0, 1, ALL);
        OutboxShard second = store.shard(1, 2, ALL);
        try (Turn turn = shard.turn().orElseThrow();
                Turn otherTurn = other.turn().orElseThrow();
                Turn secondTurn = second.turn().orElseThrow()) {
            assertThat(List.of(turn, otherTurn, secondTurn)).hasSize(3);
        }
    }

    @Test
    void shards_split_the_aggregates_by_javas_hash_also_if_it_is_negative() {
        List<List<String>> expected = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 60; i++) {
            String aggregate = "aggregate-" + i * 7919;
            expected.get(Math.floorMod(aggregate.hashCode(), 3)).add(aggregate);
            jdbi.useTransaction(tx -> writer.write(tx, Event.of("a", aggregate, "{}")));
        }
        for (int i = 0; i < 3; i++) {
            try (Turn turn = store.shard(i, 3, ALL).turn().orElseThrow()) {
                assertThat(turn.claim(100).events())
                        .extracting(StoredEvent::aggregateId)
                        .containsExactlyElementsOf(expected.get(i));
            }
        }
    }

    @Test
    void a_turn_does_not_join_a_transaction_that_its_thread_has_open() {
        write("a");
        jdbi.useHandle(handle -> {
            handle.begin();
            assertThat(pass()).isEqualTo(1);
            handle.rollback();
        });
        assertThat(Database.published(jdbi)).containsExactly("a");
    }

    @Test
    void an_event_of_a_transaction_that_commits_late_is_not_passed_over() {
        try (Handle late = jdbi.open()) {
            late.begin();
            writer.write(late, Event.of("a", 1, "{}"));
            write("b");
            assertThat(pass()).isEqualTo(1);
            assertThat(pass()).isZero();
            assertThat(shard.waiting()).isFalse();
            late.commit();
        }
        assertThat(shard.waiting()).isTrue();
        assertThat(pass()).isEqualTo(1);
        assertThat(Database.published(jdbi)).containsExactlyInAnyOrder("b", "a");
    }

    @Test
    void a_relay_that_stalls_in_mid_batch_loses_its_transaction_and_another_goes_on() {
        write("a");
        OutboxShard stalling = new JdbiOutboxStore(jdbi, OutboxTables.DEFAULT, QUICK).shard(0, 1, ALL);
        try (Turn turn = stalling.turn().orElseThrow()) {
            Claim claim = turn.claim(10);
            await().until(() -> shard.turn().map(this::pass).orElse(0) == 1);
            assertThatThrownBy(() -> turn.publish(claim.events(), turn.number()))
                    .isInstanceOf(JdbiException.class);
        } catch (JdbiException closed) {
            // There is no connection any more that could be rolled back.
            assertThat(closed).hasCauseInstanceOf(SQLException.class);
        }
        assertThat(Database.published(jdbi)).containsExactly("a");
        try (Turn again = stalling.turn().orElseThrow()) {
            assertThat(again.claim(10).events()).isEmpty();
        }
    }

    @Test
    void what_somebody_else_marked_meanwhile_fails_the_turn() {
        write("a");
        try (Turn turn = shard.turn().orElseThrow()) {
            List<StoredEvent> events = turn.claim(10).events();
            jdbi.useHandle(handle -> handle.execute("UPDATE outbox_events SET published_at = now(), batch = 1"));
            assertThatThrownBy(() -> turn.publish(events, turn.number()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("of 1 events only 0 were unpublished");
        }
    }

    @Test
    void numbers_rise_and_can_be_lifted_above_what_a_queue_remembers() {
        try (Turn turn = shard.turn().orElseThrow()) {
            long first = turn.number();
            assertThat(turn.number()).isGreaterThan(first);
            turn.liftNumbers(first + 5_000);
            long lifted = turn.number();
            assertThat(lifted).isGreaterThan(first + 5_000);
            turn.liftNumbers(first);
            assertThat(turn.number()).isEqualTo(lifted + 1);
        }
    }

    @Test
    void what_was_published_later_comes_in_whole_batches_step_by_step() {
        for (int batch = 0; batch < 5; batch++) {
            write("a", "b", "a");
            pass();
        }
        List<Long> batches =
                jdbi.withHandle(handle -> handle.createQuery("SELECT DISTINCT batch FROM outbox_events ORDER BY batch")
                        .mapTo(Long.class)
                        .list());
        try (Turn turn = shard.turn().orElseThrow()) {
            Published all = turn.published(batches.get(0), Set.of("a"), 100);
            assertThat(all.more()).isFalse();
            assertThat(all.events()).hasSize(8).allMatch(event -> event.topic().equals("a"));
            Published step = turn.published(batches.get(0), Set.of("a"), 7);
            assertThat(step.upTo()).isEqualTo(batches.get(3) - 1);
            assertThat(step.events()).hasSize(4);
            Published small = turn.published(batches.get(0), Set.of("a"), 2);
            assertThat(small.upTo()).isEqualTo(batches.get(1));
            assertThat(small.events()).hasSize(2);
        }
    }

    @Test
    void a_target_added_later_starts_after_what_was_published_before_and_ten_relays_agree() {
        Target old = new Target("a", "payments");
        Target added = new Target("a", "mail");
        Long since = requireNonNull(store.join(Set.of(old), 1).since().get(old));
        write("a");
        pass();
        var joined = store.join(Set.of(old, added), 1);
        assertThat(joined.since().get(old)).isEqualTo(since);
        assertThat(joined.since().get(added)).isGreaterThan(since);
        assertThat(store.join(Set.of(old, added), 1)).isEqualTo(joined);
        assertThat(UUID.fromString(joined.outbox())).isNotNull();
    }

    @Test
    void another_number_of_shards_is_refused() {
        store.join(Set.of(), 4);
        assertThatThrownBy(() -> store.join(Set.of(), 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shards = 2")
                .hasMessageContaining("split into 4");
    }

    @Test
    void cleaning_deletes_what_is_published_and_old_the_oldest_first_and_nothing_else() {
        for (int i = 0; i < 4; i++) {
            write("a", "b");
            pass();
        }
        write("c");
        jdbi.useHandle(handle -> handle.execute("UPDATE outbox_events SET published_at = now() - interval '8 days'"
                + " WHERE published_at IS NOT NULL AND batch <= (SELECT min(batch) + 2 FROM outbox_events)"));
        assertThat(store.clean(Duration.ofDays(7), 4)).isEqualTo(4);
        assertThat(store.clean(Duration.ofDays(7), 4)).isEqualTo(2);
        assertThat(store.clean(Duration.ofDays(7), 4)).isZero();
        assertThat(Database.topics(jdbi)).containsExactly("a", "b", "c");
    }

    private void write(String... topics) {
        for (String topic : topics) {
            jdbi.useTransaction(tx -> writer.write(tx, Event.of(topic, 1, "{}")));
        }
    }

    private List<String> claim(int limit) {
        try (Turn turn = shard.turn().orElseThrow()) {
            return turn.claim(limit).events().stream().map(StoredEvent::topic).toList();
        }
    }

    private int pass() {
        return pass(shard, 10);
    }

    private static int pass(OutboxShard some, int limit) {
        try (Turn turn = some.turn().orElseThrow()) {
            List<StoredEvent> events = turn.claim(limit).events();
            turn.publish(events, turn.number());
            turn.commit();
            return events.size();
        }
    }

    private int pass(Turn open) {
        try (Turn turn = open) {
            List<StoredEvent> events = turn.claim(10).events();
            turn.publish(events, turn.number());
            turn.commit();
            return events.size();
        }
    }
}
