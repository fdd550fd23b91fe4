package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.outbox.Event;
import dev.baton.outbox.Topic;
import dev.baton.relay.Relay;
import dev.baton.relay.RelayBuilder;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The protocol of {@code HandOver}, step by step, with sinks that fail and forget on command. */
@Timeout(60)
class HandOverIT {
    private final Jdbi jdbi = Database.fresh();
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter();
    private final MemorySink payments = new MemorySink("payments");
    private final MemorySink mail = new MemorySink("mail");

    @Test
    void a_relay_that_dies_at_any_chunk_of_any_queue_leaves_nothing_twice_and_nothing_behind() {
        // 10 events to two queues in chunks of 3: four chunks each, before and after each of them.
        for (int dies = 1; dies <= 16; dies++) {
            write("a", 10);
            AtomicInteger left = new AtomicInteger(dies);
            Runnable death = () -> {
                if (left.decrementAndGet() == 0) {
                    throw new IllegalStateException("dies");
                }
            };
            payments.between = death;
            mail.between = death;
            assertThatThrownBy(relay(both())::runOnce).hasMessage("dies");
            write("a", 3);
            drain(relay(both()));
        }
        assertWhole(payments, 208);
        assertWhole(mail, 208);
    }

    @Test
    void a_relay_that_dies_before_its_commit_leaves_a_batch_that_is_redone_first_and_alone() {
        write("a", 4);
        mail.between = () -> {
            // After the last chunk, PostgreSQL ends the transaction.
            if (mail.taken().size() == 4) {
                mail.between = () -> {};
                terminateOthers();
            }
        };
        assertThatThrownBy(relay(both())::runOnce).isInstanceOf(RuntimeException.class);
        assertThat(Database.published(jdbi)).isEmpty();
        write("a", 2);
        Relay next = relay(both());
        assertThat(next.runOnce().published()).isEqualTo(4);
        assertThat(next.runOnce().published()).isEqualTo(2);
        assertWhole(payments, 6);
        assertWhole(mail, 6);
    }

    @Test
    void a_relay_that_was_stopped_in_mid_batch_and_wakes_up_changes_nothing() {
        write("a", 8);
        Relay next = relay(both());
        boolean[] slept = {false};
        payments.between = () -> {
            if (!slept[0] && payments.taken().size() == 3) {
                slept[0] = true;
                terminateOthers();
                write("a", 5);
                drain(next);
            }
        };
        Relay sleeper = relay(both());
        // It is refused; and its transaction is gone, so there is nothing to roll back.
        assertThatThrownBy(sleeper::runOnce).isInstanceOf(JdbiException.class);
        assertThat(sleeper.status().published()).isZero();
        drain(sleeper);
        assertWhole(payments, 13);
        assertWhole(mail, 13);
    }

    @Test
    void a_queue_that_lost_everything_gets_it_all_again_in_order_and_the_other_gets_nothing_again() {
        Relay relay = relay(both());
        for (int i = 0; i < 20; i++) {
            write("a", 7);
            drain(relay);
        }
        payments.flush();
        write("a", 1);
        drain(relay);
        assertWhole(payments, 141);
        assertWhole(mail, 141);
        assertThat(relay.status().healed()).isEqualTo(140);
    }

    @Test
    void a_queue_that_lost_the_last_of_it_gets_only_that_also_twice_in_a_row_and_with_a_new_relay() {
        Relay relay = relay(both());
        for (int i = 0; i < 5; i++) {
            write("a", 4);
            drain(relay);
        }
        payments.save();
        for (int i = 0; i < 5; i++) {
            write("a", 4);
            drain(relay);
        }
        payments.goBack();
        Relay second = relay(both());
        drain(second);
        assertThat(second.status().healed()).isEqualTo(20);
        payments.goBack();
        drain(relay(both()));
        write("a", 1);
        drain(relay(both()));
        assertWhole(payments, 41);
        assertWhole(mail, 41);
    }

    @Test
    void a_queue_that_loses_its_data_in_the_middle_of_a_batch_is_healed() {
        Relay relay = relay(both());
        write("a", 5);
        drain(relay);
        write("a", 9);
        payments.between = () -> {
            if (payments.taken().size() == 11) {
                payments.between = () -> {};
                payments.goBack();
            }
        };
        payments.save();
        drain(relay);
        drain(relay(both()));
        assertWhole(payments, 14);
        assertWhole(mail, 14);
    }

    @Test
    void healing_many_goes_in_steps_and_a_relay_that_dies_in_between_costs_one_step() {
        Relay relay = relay(both(), 500);
        for (int i = 0; i < 10; i++) {
            write("a", 500);
            drain(relay);
        }
        payments.flush();
        AtomicInteger chunks = new AtomicInteger();
        payments.between = () -> {
            // 2,000 rows are 667 chunks: in the middle of the second step.
            if (chunks.incrementAndGet() == 2_000) {
                throw new IllegalStateException("dies");
            }
        };
        Relay dies = relay(both(), 500);
        assertThatThrownBy(() -> drain(dies)).hasMessage("dies");
        assertThat(payments.taken()).hasSizeBetween(2_000, 4_000);
        drain(relay(both(), 500));
        assertWhole(payments, 5_000);
        assertWhole(mail, 5_000);
    }

    @Test
    void an_idle_relay_finds_out_that_a_queue_lost_its_data() {
        try (Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), both()).start()) {
            write("a", 3);
            relay.nudge();
            await().until(() -> payments.taken().size() == 3);
            payments.flush();
            await().atMost(Duration.ofSeconds(20)).until(() -> payments.taken().size() == 3);
        }
        assertWhole(payments, 3);
    }

    @Test
    void a_route_added_later_receives_the_present_and_not_the_past_also_after_a_loss() {
        write("a", 5);
        drain(relay(Routes.builder().route("a", payments, "x").build()));
        write("a", 2);
        drain(relay(both()));
        assertWhole(payments, 7);
        assertThat(mail.taken()).hasSize(2);
        mail.flush();
        payments.flush();
        drain(relay(both()));
        assertWhole(payments, 7);
        assertThat(mail.taken()).hasSize(2);
    }

    @Test
    void a_queue_that_is_rarely_used_is_told_of_the_others_so_that_a_search_for_what_it_lost_stays_short() {
        Routes routes =
                Routes.builder().route("a", payments, "x").route("b", mail, "x").build();
        Relay relay = relay(routes);
        write("b", 1);
        drain(relay);
        String owner = jdbi.withHandle(
                handle -> handle.createQuery("SELECT value || ':0:1' FROM outbox_settings WHERE name = 'id'")
                        .mapTo(String.class)
                        .one());
        long before = mail.memory(owner).number();
        for (int i = 0; i < 70; i++) {
            write("a", 1);
            drain(relay);
        }
        assertThat(mail.memory(owner).number()).isGreaterThan(before + 60);
        assertThat(mail.taken()).hasSize(1);
    }

    @Test
    void after_a_restore_of_the_database_numbers_go_on_above_what_the_queues_remember() {
        Relay relay = relay(both());
        for (int i = 0; i < 5; i++) {
            write("a", 2);
            drain(relay);
        }
        jdbi.useHandle(handle -> handle.execute("ALTER SEQUENCE outbox_batches RESTART WITH 2"));
        write("a", 2);
        drain(relay(both()));
        long last = jdbi.withHandle(handle -> handle.createQuery("SELECT max(batch) FROM outbox_events")
                .mapTo(Long.class)
                .one());
        assertThat(last).isGreaterThan(1_000_000);
        payments.flush();
        drain(relay(both()));
        assertWhole(payments, 12);
        assertWhole(mail, 12);
    }

    @Test
    void an_older_relay_keeps_what_a_newer_one_left_unsettled_and_does_not_know_itself() {
        Routes newer = Routes.builder()
                .route("a", payments, "x")
                .route("new", payments, "x")
                .route("new", mail, "x")
                .build();
        Routes older = Routes.builder().route("a", payments, "x").build();
        write("new", 2);
        mail.between = () -> {
            throw new IllegalStateException("dies");
        };
        assertThatThrownBy(relay(newer)::runOnce).hasMessage("dies");
        mail.between = () -> {};
        Relay old = relay(older);
        for (int i = 0; i < 5; i++) {
            write("a", 2);
            drain(old);
        }
        drain(relay(newer));
        assertWhole(payments, 12);
        assertThat(mail.topics()).containsExactly("new", "new");
    }

    @Test
    void four_shards_hand_over_side_by_side_each_with_a_memory_of_its_own() {
        write("a", 100);
        Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), both()).shards(4).build();
        assertThat(relay.runOnce().published()).isEqualTo(100);
        payments.flush();
        drain(Relay.builder(new JdbiOutboxStore(jdbi), both()).shards(4).build());
        assertThat(payments.taken()).doesNotHaveDuplicates().hasSize(100);
        assertThat(mail.taken()).doesNotHaveDuplicates().hasSize(100);
    }

    private void write(String topic, int n) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            events.add(Event.of(topic, "aggregate-" + i % 5, "{}"));
        }
        jdbi.useTransaction(tx -> writer.write(tx, events));
    }

    private Routes both() {
        return Routes.of(Only.class, topic -> List.of(Route.to(payments, "x"), Route.to(mail, "x")));
    }

    private enum Only implements Topic {
        A;

        @Override
        public String topicName() {
            return "a";
        }
    }

    private Relay relay(Routes routes) {
        return relay(routes, 10);
    }

    private Relay relay(Routes routes, int batch) {
        RelayBuilder builder = Relay.builder(new JdbiOutboxStore(jdbi), routes);
        return builder.batchSize(batch).build();
    }

    private static void drain(Relay relay) {
        while (relay.runOnce().more()) {
            // One more.
        }
    }

    /** Ends the transactions of all relays that are at work. */
    private void terminateOthers() {
        jdbi.useHandle(handle -> handle.createQuery("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                        + " WHERE state = 'idle in transaction' AND pid <> pg_backend_pid()")
                .mapTo(Boolean.class)
                .list());
    }

    /** Each event once, and all in the order in which they were written. */
    private void assertWhole(MemorySink sink, int n) {
        List<String> order =
                jdbi.withHandle(handle -> handle.createQuery("SELECT id::text FROM outbox_events ORDER BY seq")
                        .mapTo(String.class)
                        .list());
        assertThat(sink.taken()).hasSize(n);
        assertThat(sink.taken().stream().map(event -> event.id().toString()).toList())
                .isEqualTo(order);
    }
}
