package dev.baton.jdbi;

import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Timeout;

/** An outbox whose queue refuses some events, and relays that a test drives by hand. */
@Timeout(60)
abstract class PoisonFixture {
    static final RetryPolicy AT_ONCE = new RetryPolicy(3, 3, Backoff.fixed(Duration.ZERO));
    static final RetryPolicy LATER = new RetryPolicy(3, 3, Backoff.fixed(Duration.ofHours(1)));

    final Jdbi jdbi = Database.fresh();
    final JdbiOutboxStore store = new JdbiOutboxStore(jdbi);
    final JdbiDeadLetterStore letters = new JdbiDeadLetterStore(jdbi);
    final MemorySink queue = new MemorySink("payments");

    /** Of now: a relay gives an answer that took long once more. */
    Lag lag() {
        return store.lag(routes().topics());
    }

    Routes routes() {
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

    RelayBuilder builder(Routes routes, RetryPolicy retry) {
        return Relay.builder(store, routes).retry(retry).pollInterval(Duration.ofMillis(20));
    }

    void write(String topic, String aggregate) {
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, Event.of(topic, aggregate, "{}")));
    }

    static void drain(Relay relay) {
        int quiet = 0;
        while (quiet < 3) {
            quiet = relay.runOnce().published() == 0 ? quiet + 1 : 0;
        }
    }

    /** A sink that keeps what it accepted. */
    static final class PlainSink implements Sink {
        final String name;
        final List<String> accepted = new CopyOnWriteArrayList<>();
        Predicate<Event> bad;

        PlainSink(String name, Predicate<Event> bad) {
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
