package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.failure.DeathReason;
import dev.baton.job.Job;
import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events that end as dead letters. */
class DeadEventsIT extends PoisonFixture {
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
}
