package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.Backoff;
import dev.baton.failure.DeathReason;
import dev.baton.failure.RetryPolicy;
import dev.baton.outbox.Event;
import dev.baton.outbox.Lag;
import dev.baton.relay.Delivery;
import dev.baton.relay.Relay;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import dev.baton.relay.Sink;
import dev.baton.relay.SinkAnswer;
import dev.baton.servers.Postgres;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sink without a memory that takes its time: longer for a batch than PostgreSQL lets a turn wait. */
@Timeout(60)
class SlowSinkIT {
    private static final int AT_ONCE = 5;
    private static final Duration TURN = Duration.ofMillis(600);
    private static final Duration CALL = Duration.ofMillis(40);

    private final Jdbi jdbi = Database.fresh();
    private final JdbiOutboxStore store =
            new JdbiOutboxStore(jdbi, OutboxTables.DEFAULT, new JdbiShard.Limits(TURN, BoundedHandle.LONGEST_ANSWER));
    private final MemorySink queue = new MemorySink("queue");
    private final SlowSink slow = new SlowSink();

    @Test
    void a_backlog_that_takes_it_many_turns_passes_it_once_and_in_order() {
        write(200, 50);
        Relay relay = relay();
        int turns = 1;
        while (relay.runOnce().more()) {
            turns++;
        }
        assertThat(turns).as("40 calls of 40 ms, in turns of 200 ms").isBetween(4, 40);
        assertThat(slow.took).hasSize(200).doesNotHaveDuplicates();
        assertThat(inOrder(slow.took)).isTrue();
        assertThat(queue.taken()).hasSize(200).doesNotHaveDuplicates();
        assertThat(inOrder(queue.taken())).isTrue();
        assertThat(lag().unpublished()).isZero();
        assertThat(relay.status().position()).isEqualTo(200);
    }

    @Test
    void what_comes_after_an_event_that_it_had_no_time_for_waits_for_it_though_it_goes_to_the_queue_only() {
        List<Event> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(Event.of(i % 2 == 0 ? "t" : "queue.only", "order-" + i / 2, Integer.toString(i)));
        }
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, all));
        Relay relay = relay();
        assertThat(relay.runOnce().more()).isTrue();
        while (relay.runOnce().more()) {
            // One more.
        }
        assertThat(queue.taken()).hasSize(200).doesNotHaveDuplicates();
        assertThat(inOrder(queue.taken())).isTrue();
    }

    @Test
    void a_database_that_is_read_only_says_so_before_the_sink_is_asked() {
        AtomicBoolean readOnly = new AtomicBoolean();
        String url = Postgres.freshSchema();
        Jdbi switched = Jdbi.create(() -> {
            Connection connection = Postgres.dataSource(url).getConnection();
            connection.setReadOnly(readOnly.get());
            return connection;
        });
        OutboxSchema.migrate(switched);
        slow.call = Duration.ZERO;
        Relay relay = Relay.builder(new JdbiOutboxStore(switched), routes()).build();
        Event first = Event.of("t", "order-1", "1");
        Event second = Event.of("t", "order-1", "2");
        switched.useTransaction(tx -> new JdbiOutboxWriter().write(tx, first));
        relay.runOnce();
        switched.useTransaction(tx -> new JdbiOutboxWriter().write(tx, second));
        readOnly.set(true);
        assertThatThrownBy(relay::runOnce).hasMessageContaining("read-only");
        assertThat(slow.took).extracting(Event::payload).containsExactly("1");
        readOnly.set(false);
        relay.runOnce();
        assertThat(slow.took).extracting(Event::payload).containsExactly("1", "2");
    }

    @Test
    void an_unsettled_batch_that_takes_it_many_turns_to_redo_enters_the_queue_once() {
        slow.call = Duration.ZERO;
        write(40, 40);
        queue.between = () -> {
            if (queue.taken().size() == 40) {
                throw new IllegalStateException("dies");
            }
        };
        assertThatThrownBy(relay()::runOnce).hasMessage("dies");
        assertThat(queue.taken()).hasSize(40);
        queue.between = () -> {};
        slow.call = Duration.ofMillis(90);
        Relay next = relay();
        write(3, 3);
        assertThat(next.runOnce().published()).isBetween(1, 39);
        while (next.runOnce().more()) {
            // One more.
        }
        assertThat(queue.taken()).hasSize(43).doesNotHaveDuplicates();
        assertThat(lag().unpublished()).isZero();
    }

    @Test
    void what_it_refuses_for_good_is_a_dead_letter_at_once_and_what_it_postpones_is_not_tried_before() {
        slow.call = Duration.ZERO;
        slow.answer = event -> switch (event.aggregateId()) {
            case "order-0" -> new SinkAnswer.Rejected("gone", true, Duration.ZERO);
            case "order-1" -> new SinkAnswer.Rejected("later", false, Duration.ofHours(1));
            default -> SinkAnswer.ACCEPTED;
        };
        write(3, 3);
        JdbiDeadLetterStore letters = new JdbiDeadLetterStore(jdbi);
        Relay relay = Relay.builder(store, routes())
                .retry(new RetryPolicy(8, 8, Backoff.fixed(Duration.ZERO)))
                .deadLetters(letters)
                .start();
        try (relay) {
            await().until(() -> letters.open(10).size() == 1);
        }
        assertThat(letters.open(10).get(0).reason()).isEqualTo(DeathReason.PERMANENT);
        assertThat(letters.open(10).get(0).attempts()).isEqualTo(1);
        assertThat(letters.open(10).get(0).error()).isEqualTo("slow: gone");
        assertThat(slow.tried.get("order-1")).isEqualTo(1);
        boolean later = jdbi.withHandle(
                handle -> handle.select("SELECT due_at > now() + interval '59 minutes' FROM outbox_parked"
                                + " WHERE NOT dead AND NOT buried")
                        .mapTo(Boolean.class)
                        .one());
        assertThat(later).isTrue();
    }

    private Relay relay() {
        return Relay.builder(store, routes()).build();
    }

    /** Of now: a relay gives an answer that took long once more. */
    private Lag lag() {
        return store.lag(routes().topics());
    }

    private Routes routes() {
        return Routes.builder()
                .route("t", Route.to(slow, "x"), Route.to(queue, "x"))
                .route("queue.only", queue, "x")
                .build();
    }

    private void write(int events, int aggregates) {
        List<Event> all = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            all.add(Event.of("t", "order-" + i % aggregates, Integer.toString(i)));
        }
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, all));
    }

    private static boolean inOrder(List<Event> events) {
        Map<String, Integer> last = new HashMap<>();
        return events.stream().allMatch(event -> {
            int n = Integer.parseInt(event.payload());
            Integer before = last.put(event.aggregateId(), n);
            return before == null || before < n;
        });
    }

    private static final class SlowSink implements Sink {
        private final List<Event> took = new ArrayList<>();
        private final Map<String, Integer> tried = new HashMap<>();
        private Duration call = CALL;
        private Function<Event, SinkAnswer> answer = event -> SinkAnswer.ACCEPTED;

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public int largestBatch() {
            return AT_ONCE;
        }

        @Override
        public List<SinkAnswer> accept(List<Delivery> deliveries) {
            assertThat(deliveries).hasSizeLessThanOrEqualTo(AT_ONCE);
            long began = System.nanoTime();
            while (System.nanoTime() - began < call.toNanos()) {
                LockSupport.parkNanos(call.toNanos());
            }
            deliveries.forEach(delivery -> {
                took.add(delivery.event());
                tried.merge(delivery.event().aggregateId(), 1, Integer::sum);
            });
            return deliveries.stream()
                    .map(delivery -> answer.apply(delivery.event()))
                    .toList();
        }
    }
}
