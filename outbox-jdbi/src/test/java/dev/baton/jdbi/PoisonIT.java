package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events that cannot be read, mapped or accepted, and those whose topic nobody knows. */
class PoisonIT extends PoisonFixture {
    @Test
    void ten_thousand_good_events_behind_two_bad_ones_take_no_more_passes_than_without_them() {
        write("unmappable", "x");
        write("bad", "y");
        List<Event> good = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            good.add(Event.of("good", i, "{}"));
        }
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, good));
        queue.bad = event -> event.topic().equals("bad");
        Relay relay = builder(routes(), LATER).batchSize(500).build();
        int passes = 0;
        while (relay.runOnce().more()) {
            passes++;
        }
        assertThat(passes).isBetween(20, 22);
        assertThat(queue.taken()).hasSize(10_000);
        assertThat(lag().parked()).isEqualTo(2);
        assertThat(relay.status().refused()).isEqualTo(2);
        assertThat(relay.runOnce().more()).isFalse();
    }

    @Test
    void later_events_of_the_aggregate_wait_for_a_refused_one_and_leave_in_order_once_it_is_accepted() {
        queue.bad = event -> event.topic().equals("bad");
        write("good", "order-1");
        write("bad", "order-1");
        write("good", "order-1");
        write("good", "order-2");
        Relay relay = builder(routes(), AT_ONCE).build();
        relay.runOnce();
        write("late", "order-1");
        relay.runOnce();
        assertThat(queue.topics()).containsExactly("good", "good");
        assertThat(lag().parked()).isEqualTo(3);

        queue.bad = event -> false;
        // By another relay, which begins at the beginning.
        drain(builder(routes(), AT_ONCE).build());
        assertThat(queue.topics()).containsExactly("good", "good", "bad", "good", "late");
        assertThat(lag().unpublished()).isZero();
        assertThat(lag().parked()).isZero();
    }

    @Test
    void an_event_that_comes_while_an_earlier_one_of_its_aggregate_is_parked_and_not_due_waits_too() {
        queue.bad = event -> event.topic().equals("bad");
        write("bad", "order-1");
        drain(builder(routes(), LATER).build());
        write("late", "order-1");
        write("good", "order-2");
        Relay relay = builder(routes(), LATER).build();
        drain(relay);
        assertThat(queue.topics()).containsExactly("good");
        assertThat(lag().parked()).isEqualTo(2);
    }

    @Test
    void by_policy_later_events_of_the_aggregate_pass() {
        queue.bad = event -> event.topic().equals("bad");
        write("bad", "order-1");
        write("good", "order-1");
        Relay relay = builder(routes().letOthersPass("bad"), LATER).build();
        drain(relay);
        write("good", "order-1");
        drain(relay);
        assertThat(queue.topics()).containsExactly("good", "good");
        assertThat(lag().parked()).isEqualTo(1);
    }

    @Test
    void an_event_that_is_first_seen_in_the_turn_in_which_the_refused_one_before_it_is_accepted_goes_on() {
        queue.bad = event -> true;
        write("good", "order-1");
        Relay relay = builder(routes(), LATER).build();
        drain(relay);
        queue.bad = event -> false;
        jdbi.useHandle(handle -> handle.execute("UPDATE outbox_parked SET due_at = now()"));
        write("late", "order-1");
        drain(relay);
        assertThat(queue.topics()).containsExactly("good", "late");
        assertThat(lag().parked()).isZero();
    }

    @Test
    void what_waits_behind_a_held_event_goes_on_if_that_one_lets_others_pass_when_it_is_refused_itself() {
        queue.bad = event -> true;
        write("late", "order-1");
        write("bad", "order-1");
        Relay relay = builder(routes().letOthersPass("bad"), LATER).build();
        drain(relay);
        assertThat(queue.topics()).isEmpty();
        queue.bad = event -> event.topic().equals("bad");
        jdbi.useHandle(handle -> handle.execute("UPDATE outbox_parked SET due_at = now() WHERE due_at IS NOT NULL"));
        relay.runOnce();
        assertThat(queue.topics()).containsExactly("late");
        // The next turn finds it beside the held one.
        write("good", "order-1");
        drain(relay);
        assertThat(queue.topics()).containsExactly("late", "good");
        assertThat(lag().parked()).isEqualTo(1);
    }

    @Test
    void parked_events_of_transactions_of_another_cluster_hold_up_no_other() {
        queue.bad = event -> event.topic().equals("bad");
        for (int i = 0; i < 30; i++) {
            write("bad", "order-" + i);
        }
        Relay relay = builder(routes(), LATER).batchSize(10).build();
        drain(relay);
        // As after a restore into a new cluster, whose transactions have lower numbers.
        jdbi.useHandle(handle -> handle.execute("UPDATE outbox_events SET xact_id = '9000000000'"));
        write("good", "order-31");
        drain(relay);
        assertThat(queue.topics()).containsExactly("good");
        assertThat(relay.runOnce().more()).isFalse();
    }

    @Test
    void a_topic_that_nobody_knows_does_not_hold_up_later_events_of_its_aggregate() {
        write("new", "order-1");
        write("good", "order-1");
        drain(builder(routes(), AT_ONCE).build());
        assertThat(queue.topics()).containsExactly("good");
    }

    @Test
    void a_sink_without_a_memory_may_refuse_single_events_and_their_successors_are_not_shown_to_it() {
        PlainSink plain = new PlainSink("webhook", event -> event.topic().equals("bad"));
        PlainSink other = new PlainSink("other", event -> false);
        Routes routes = Routes.builder()
                .route("good", Route.to(plain, "x"), Route.to(queue, "x"))
                .route("bad", Route.to(other, "x"), Route.to(plain, "x"), Route.to(queue, "x"))
                .build();
        write("good", "order-1");
        write("bad", "order-1");
        write("good", "order-1");
        write("good", "order-2");
        Relay relay = builder(routes, AT_ONCE).build();
        relay.runOnce();
        assertThat(plain.accepted).containsExactly("good order-1", "good order-2");
        assertThat(queue.topics()).containsExactly("good", "good");
        plain.bad = event -> false;
        drain(relay);
        assertThat(plain.accepted).containsExactly("good order-1", "good order-2", "bad order-1", "good order-1");
        assertThat(queue.topics()).containsExactly("good", "good", "bad", "good");
        // It had accepted it the first time.
        assertThat(other.accepted).containsExactly("bad order-1");
    }

    @Test
    void an_old_relay_leaves_a_new_topic_alone_and_does_not_spin_and_a_new_relay_takes_it() {
        for (int i = 0; i < 150; i++) {
            write("new", "order-" + i);
        }
        write("good", "order-1");
        Relay old = builder(routes(), AT_ONCE).build();
        assertThat(old.runOnce().published()).isEqualTo(1);
        assertThat(old.runOnce().more()).isFalse();
        assertThat(lag().unknown()).isEqualTo(150);
        Routes newer = Routes.builder()
                .route("good", queue, "x")
                .route("new", queue, "x")
                .build();
        drain(builder(newer, AT_ONCE).build());
        assertThat(queue.taken()).hasSize(151);
        assertThat(lag().unpublished()).isZero();
    }
}
