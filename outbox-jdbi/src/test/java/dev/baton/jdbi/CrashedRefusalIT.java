package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import dev.baton.outbox.Event;
import dev.baton.relay.Delivery;
import dev.baton.relay.Relay;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import dev.baton.relay.Sink;
import dev.baton.relay.SinkAnswer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events that are refused and handed over while relays die in between: a queue gets each of them once all the same. */
@Timeout(60)
class CrashedRefusalIT {
    private final Jdbi jdbi = Database.fresh();
    private final MemorySink queue = new MemorySink("queue");
    private final Set<String> refused = new HashSet<>();
    private final Sink webhook = new Sink() {
        @Override
        public String name() {
            return "webhook";
        }

        @Override
        public List<SinkAnswer> accept(List<Delivery> deliveries) {
            return deliveries.stream()
                    .map(delivery -> refused.contains(delivery.event().payload())
                            ? new SinkAnswer.Rejected("no")
                            : SinkAnswer.ACCEPTED)
                    .toList();
        }
    };

    @Test
    void an_event_that_is_handed_over_when_it_is_due_again_by_a_relay_that_dies() {
        queue.bad = event -> event.payload().equals("1");
        write("1", "order-1");
        write("2", "order-1");
        relay().runOnce();
        assertThat(parked()).isEqualTo(2);
        queue.bad = event -> false;
        allDue();
        write("3", "order-2");
        write("4", "order-3");
        diesWhenItHas(3);

        drain(relay());
        for (int i = 5; i < 20; i++) {
            write(Integer.toString(i), "order-" + i);
            drain(relay());
        }
        allDue();
        drain(relay());
        assertOnce(19);
        assertThat(parked()).isZero();
    }

    @Test
    void an_event_that_the_queue_got_from_a_relay_that_died_and_that_is_refused_when_it_is_redone() {
        write("1", "order-1");
        write("2", "order-1");
        write("3", "order-2");
        diesWhenItHas(3);

        refused.add("1");
        Relay next = relay();
        drain(next);
        assertThat(parked()).as("1, and 2 behind it").isEqualTo(2);
        // More batches, by it and by others: the queue goes on remembering the two.
        for (int i = 4; i < 8; i++) {
            write(Integer.toString(i), "order-" + i);
            drain(next);
            drain(relay());
        }
        allDue();
        drain(next);
        refused.clear();
        allDue();
        drain(next);
        assertOnce(7);
        assertThat(parked()).isZero();
    }

    private void diesWhenItHas(int events) {
        queue.between = () -> {
            if (queue.taken().size() == events) {
                throw new IllegalStateException("dies");
            }
        };
        assertThatThrownBy(relay()::runOnce).hasMessage("dies");
        queue.between = () -> {};
    }

    private void assertOnce(int events) {
        assertThat(queue.taken()).hasSize(events).doesNotHaveDuplicates();
        assertThat(queue.taken().stream().filter(event -> event.aggregateId().equals("order-1")))
                .extracting(Event::payload)
                .containsExactly("1", "2");
    }

    private Relay relay() {
        Routes routes = Routes.builder()
                .route("t", Route.to(webhook, "x"), Route.to(queue, "x"))
                .build();
        return Relay.builder(new JdbiOutboxStore(jdbi), routes)
                .retry(new RetryPolicy(9, 9, Backoff.fixed(Duration.ofHours(1))))
                .build();
    }

    private void write(String payload, String aggregate) {
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, Event.of("t", aggregate, payload)));
    }

    private void allDue() {
        jdbi.useHandle(handle -> handle.execute("UPDATE outbox_parked SET due_at = now() WHERE due_at IS NOT NULL"));
    }

    private long parked() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT count(*) FROM outbox_parked")
                .mapTo(Long.class)
                .one());
    }

    private static void drain(Relay relay) {
        int quiet = 0;
        while (quiet < 2) {
            quiet = relay.runOnce().published() == 0 ? quiet + 1 : 0;
        }
    }
}
