package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.outbox.Event;
import dev.baton.relay.Delivery;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.relay.Sink;
import dev.baton.relay.SinkAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RelayIT {
    private final Jdbi jdbi = Database.fresh();
    private final JdbiOutboxStore store = new JdbiOutboxStore(jdbi);

    @Test
    void one_event_reaches_every_target_of_its_topic_under_its_job_name() {
        ListSink payments = new ListSink("payments");
        ListSink mail = new ListSink("mail");
        Routes routes = Routes.builder()
                .route("order.placed", payments, "capture")
                .route("order.placed", mail, "confirm")
                .build();
        write("order.placed");
        Relay relay = Relay.builder(store, routes).build();

        assertThat(relay.runOnce().published()).isEqualTo(1);
        assertThat(relay.runOnce().published()).isZero();
        assertThat(payments.jobs).containsExactly("capture order.placed");
        assertThat(mail.jobs).containsExactly("confirm order.placed");
    }

    @Test
    void a_sink_that_is_away_stops_nothing_for_good_and_nothing_is_marked_meanwhile() {
        ListSink mail = new ListSink("mail");
        ListSink payments = new ListSink("payments");
        CountDownLatch failures = new CountDownLatch(3);
        payments.answer = delivery -> {
            if (failures.getCount() > 0) {
                failures.countDown();
                assertThat(Database.published(jdbi)).isEmpty();
                throw new IllegalStateException("away");
            }
            return SinkAnswer.ACCEPTED;
        };
        Routes routes = Routes.builder()
                .route("order.placed", mail, "confirm")
                .route("order.placed", payments, "capture")
                .build();
        write("order.placed");
        try (Relay relay = Relay.builder(store, routes).start()) {
            await().until(() -> Database.published(jdbi).size() == 1);
            relay.nudge();
        }
        assertThat(failures.getCount()).isZero();
        assertThat(payments.jobs).containsExactly("capture order.placed");
    }

    @Test
    void a_sink_that_held_the_event_already_is_as_good_as_one_that_accepts_it() {
        ListSink sink = new ListSink("payments");
        sink.answer = delivery -> SinkAnswer.DUPLICATE;
        write("a");
        Relay.builder(store, Routes.builder().route("a", sink, "x").build())
                .build()
                .runOnce();
        assertThat(Database.published(jdbi)).containsExactly("a");
    }

    @Test
    void a_sink_that_loses_count_is_not_believed() {
        Sink careless = new Sink() {
            @Override
            public String name() {
                return "careless";
            }

            @Override
            public List<SinkAnswer> accept(List<Delivery> deliveries) {
                return List.of();
            }
        };
        write("a");
        Relay relay = Relay.builder(
                        store, Routes.builder().route("a", careless, "x").build())
                .build();
        org.assertj.core.api.Assertions.assertThatThrownBy(relay::runOnce)
                .hasMessageContaining("sink careless gave 0 answers to 1 deliveries");
        assertThat(Database.published(jdbi)).isEmpty();
    }

    @Test
    void a_backlog_is_drained_batch_by_batch_in_order_without_waiting_for_the_poll() {
        ListSink sink = new ListSink("payments");
        List<String> expected = new ArrayList<>();
        jdbi.useTransaction(tx -> {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                events.add(Event.of("a", i, "{}"));
                expected.add("x a");
            }
            new JdbiOutboxWriter().write(tx, events);
        });
        try (Relay relay = Relay.builder(
                        store, Routes.builder().route("a", sink, "x").build())
                .batchSize(100)
                .pollInterval(Duration.ofHours(1))
                .start()) {
            await().until(() -> Database.published(jdbi).size() == 1_000);
            relay.nudge();
        }
        assertThat(sink.jobs).isEqualTo(expected);
        assertThat(sink.aggregates).isSortedAccordingTo((a, b) -> Integer.parseInt(a) - Integer.parseInt(b));
    }

    @Test
    void a_nudge_after_the_commit_spares_the_poll() {
        ListSink sink = new ListSink("payments");
        try (Relay relay = Relay.builder(
                        store, Routes.builder().route("a", sink, "x").build())
                .pollInterval(Duration.ofHours(1))
                .start()) {
            JdbiOutboxWriter writer = new JdbiOutboxWriter(relay::nudge);
            for (int i = 1; i <= 3; i++) {
                int n = i;
                jdbi.useTransaction(tx -> writer.write(tx, Event.of("a", n, "{}")));
                await().until(() -> sink.jobs.size() == n);
            }
        }
    }

    @Test
    void close_lets_the_batch_in_progress_finish() throws Exception {
        CountDownLatch inBatch = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ListSink sink = new ListSink("payments");
        sink.answer = delivery -> {
            inBatch.countDown();
            awaitLatch(goOn);
            return SinkAnswer.ACCEPTED;
        };
        write("a");
        Relay relay = Relay.builder(
                        store, Routes.builder().route("a", sink, "x").build())
                .start();
        inBatch.await();
        Thread closer = new Thread(relay::close);
        closer.start();
        await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        closer.join();
        assertThat(Database.published(jdbi)).containsExactly("a");
    }

    private void write(String topic) {
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, Event.of(topic, 1, "{}")));
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A sink that keeps what it accepted. */
    private static final class ListSink implements Sink {
        private final String name;
        private final List<String> jobs = new CopyOnWriteArrayList<>();
        private final List<String> aggregates = new CopyOnWriteArrayList<>();
        private Function<Delivery, SinkAnswer> answer = delivery -> SinkAnswer.ACCEPTED;

        private ListSink(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<SinkAnswer> accept(List<Delivery> deliveries) {
            List<SinkAnswer> answers = new ArrayList<>();
            for (Delivery delivery : deliveries) {
                SinkAnswer said = answer.apply(delivery);
                answers.add(said);
                if (said instanceof SinkAnswer.Accepted) {
                    jobs.add(delivery.jobName() + " " + delivery.event().topic());
                    aggregates.add(delivery.event().aggregateId());
                }
            }
            return answers;
        }
    }
}
