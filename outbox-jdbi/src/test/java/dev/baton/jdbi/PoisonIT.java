package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.failure.Backoff;
import dev.baton.failure.DeathReason;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.Job;
import dev.baton.outbox.Event;
import dev.baton.outbox.Lag;
import dev.baton.relay.Delivery;
import dev.baton.relay.Relay;
import dev.baton.relay.RelayBuilder;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import dev.baton.relay.Sink;
import dev.baton.relay.SinkAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events that cannot be read, mapped or accepted, and those whose topic nobody knows. */
@Timeout(60)
class PoisonIT {
    private static final RetryPolicy AT_ONCE = new RetryPolicy(3, 3, Backoff.fixed(Duration.ZERO));
    private static final RetryPolicy LATER = new RetryPolicy(3, 3, Backoff.fixed(Duration.ofHours(1)));

    private final Jdbi jdbi = Database.fresh();
    private final JdbiOutboxStore store = new JdbiOutboxStore(jdbi);
    private final JdbiDeadLetterStore letters = new JdbiDeadLetterStore(jdbi);
    private final MemorySink queue = new MemorySink("payments");

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
    void a_refused_event_ends_as_a_dead_letter_of_the_outbox_and_those_behind_it_go_on() {
        queue.bad = event -> event.topic().equals("bad");
        Event bad = Event.of("bad", "order-1", "{\"n\": 1}");
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, bad));
        write("unmappable", "order-2");
        write("overflowing", "order-2");
        write("good", "order-1");
        write("good", "order-1");
        try (Relay relay = builder(routes(), AT_ONCE).deadLetters(letters).start()) {
            await().until(() -> queue.topics().equals(List.of("good", "good")));
            await().until(() -> relay.lag().unpublished() == 0);
        }
        assertThat(letters.open(10))
                .hasSize(3)
                .allMatch(letter -> letter.queue().equals("outbox"));
        DeadLetter letter = letters.open(10).stream()
                .filter(one -> one.jobId().equals(bad.id().toString()))
                .findFirst()
                .orElseThrow();
        assertThat(letter.jobName()).isEqualTo("bad");
        assertThat(letter.payload()).isEqualTo(bad.payload());
        assertThat(letter.reason()).isEqualTo(DeathReason.ATTEMPTS);
        assertThat(letter.attempts()).isEqualTo(3);
        assertThat(letter.error()).isEqualTo("payments: it is bad");
        assertThat(Database.topics(jdbi)).containsExactly("good", "good");
    }

    @Test
    void a_dead_event_can_be_sent_back_to_all_targets_of_its_topic_and_dies_again_into_the_same_letter() {
        queue.bad = event -> event.payload().contains("13");
        Event bad = Event.of("bad", "order-1", "{\"n\": 13}").withHeaders(Map.of("tenant", "t1"));
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, bad));
        Routes routes = routes();
        try (Relay relay = builder(routes, AT_ONCE).deadLetters(letters).start();
                JdbiRedriver redriver = new JdbiRedriver(jdbi, new JdbiOutboxWriter(), routes.topics()).start()) {
            await().until(() -> letters.open(10).size() == 1);
            redriver.redrive(RedriveOrder.of(LetterFilter.OPEN, "ann", "again"));
            await().until(() -> letters.list(LetterFilter.OPEN, null, 10).letters().stream()
                    .anyMatch(letter -> letter.redrives() == 1));
            redriver.redrive(RedriveOrder.of(LetterFilter.OPEN, "ann", "mended").patch("{\"n\": 14}"));
            await().until(() -> queue.taken().size() == 1);
            assertThat(relay.lag().unknown()).isZero();
        }
        Event sent = queue.taken().get(0);
        assertThat(sent.topic()).isEqualTo("bad");
        assertThat(sent.aggregateId()).isEqualTo("order-1");
        assertThat(sent.payload()).contains("14");
        assertThat(sent.headers())
                .containsOnly(
                        Map.entry("tenant", "t1"),
                        Map.entry(Job.MESSAGE_ID, bad.id().toString()));
        assertThat(letters.count(LetterFilter.ALL)).isEqualTo(1);
    }

    @Test
    void a_dead_event_that_the_letters_refuse_holds_up_no_other() {
        queue.bad = event -> event.topic().equals("bad");
        Event refused = Event.of("bad", "order-1", "{}");
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, refused));
        write("bad", "order-2");
        DeadLetterStore particular = new DeadLetterStore() {
            @Override
            public void bury(List<DeadLetter> some) {
                if (some.stream()
                        .anyMatch(letter -> letter.jobId().equals(refused.id().toString()))) {
                    throw new IllegalStateException("not this one");
                }
                letters.bury(some);
            }

            @Override
            public List<DeadLetter> open(int limit) {
                return letters.open(limit);
            }
        };
        try (Relay relay = builder(routes(), AT_ONCE).deadLetters(particular).start()) {
            await().until(() -> letters.open(10).size() == 1);
            await().until(() -> relay.lag().unpublished() == 1);
        }
    }

    @Test
    void a_topic_that_nobody_knows_does_not_hold_up_later_events_of_its_aggregate() {
        write("new", "order-1");
        write("good", "order-1");
        drain(builder(routes(), AT_ONCE).build());
        assertThat(queue.topics()).containsExactly("good");
    }

    @Test
    void rows_that_no_event_can_be_read_from_stop_nothing_and_end_as_dead_letters() {
        jdbi.useHandle(handle -> {
            handle.execute("INSERT INTO outbox_events (id, topic, aggregate_id, payload, headers)"
                    + " VALUES (gen_random_uuid(), 'good', 'a', '{}', '[1]')");
            handle.execute("INSERT INTO outbox_events (id, topic, aggregate_id, payload)"
                    + " VALUES (gen_random_uuid(), 'good', '', '{}')");
            handle.execute("INSERT INTO outbox_events (id, topic, aggregate_id, payload, not_before)"
                    + " VALUES (gen_random_uuid(), 'good', 'c', '{}', 'infinity')");
        });
        write("good", "b");
        try (Relay relay = builder(routes(), AT_ONCE).deadLetters(letters).start()) {
            await().until(() -> letters.open(10).size() == 3);
            await().until(() -> relay.lag().unpublished() == 0);
        }
        assertThat(queue.topics()).containsExactly("good");
        assertThat(letters.open(10)).allMatch(letter -> letter.error().startsWith("it cannot be mapped ("));
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

    /** Of now: a relay gives an answer that took long once more. */
    private Lag lag() {
        return store.lag(routes().topics());
    }

    private Routes routes() {
        return Routes.builder()
                .route("good", queue, "x")
                .route("late", queue, "x")
                .route("bad", queue, "x")
                .route("unmappable", Route.to(queue, "x").payload(event -> {
                    throw new IllegalStateException("no");
                }))
                .route("overflowing", Route.to(queue, "x").payload(event -> {
                    throw new StackOverflowError("no");
                }))
                .build();
    }

    private RelayBuilder builder(Routes routes, RetryPolicy retry) {
        return Relay.builder(store, routes).retry(retry).pollInterval(Duration.ofMillis(20));
    }

    private void write(String topic, String aggregate) {
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, Event.of(topic, aggregate, "{}")));
    }

    private static void drain(Relay relay) {
        int quiet = 0;
        while (quiet < 3) {
            quiet = relay.runOnce().published() == 0 ? quiet + 1 : 0;
        }
    }

    /** A sink that keeps what it accepted. */
    private static final class PlainSink implements Sink {
        private final String name;
        private final List<String> accepted = new CopyOnWriteArrayList<>();
        private Predicate<Event> bad;

        private PlainSink(String name, Predicate<Event> bad) {
            this.name = name;
            this.bad = bad;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<SinkAnswer> accept(List<Delivery> deliveries) {
            List<SinkAnswer> answers = new ArrayList<>();
            for (Delivery delivery : deliveries) {
                boolean refused = bad.test(delivery.event());
                answers.add(refused ? new SinkAnswer.Rejected("bad") : SinkAnswer.ACCEPTED);
                if (!refused) {
                    accepted.add(
                            delivery.event().topic() + " " + delivery.event().aggregateId());
                }
            }
            return answers;
        }
    }
}
