package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import dev.baton.outbox.Event;
import dev.baton.relay.Delivery;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.relay.Sink;
import dev.baton.relay.SinkAnswer;
import dev.baton.servers.Postgres;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenario O8: the sessions are in Asia/Jakarta, the JVM in America/New_York, and its clock is ten minutes off. Java offers no
 * way to give a process another clock, so it is the database's that is wrong: functions in front of PostgreSQL's own add the
 * difference, and a host sees the same one either way.
 */
@Timeout(60)
class ClocksIT {
    private static final RetryPolicy QUICK = new RetryPolicy(2, 50, Backoff.fixed(Duration.ofSeconds(1)));

    private final TimeZone zone = TimeZone.getDefault();
    private final Received received = new Received();

    @BeforeEach
    void move() {
        TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    }

    @AfterEach
    void moveBack() {
        TimeZone.setDefault(zone);
    }

    @ParameterizedTest(name = "the database is {0} minutes ahead")
    @ValueSource(ints = {-10, 0, 10})
    void order_delays_lag_and_retention_are_as_with_right_clocks(int minutes) {
        Jdbi jdbi = jakarta(minutes);
        OutboxSchema.migrate(jdbi);
        JdbiOutboxStore store = new JdbiOutboxStore(jdbi);
        JdbiDeadLetterStore letters = new JdbiDeadLetterStore(jdbi);
        Instant began = now(jdbi);
        write(jdbi, 5, null);
        assertThat(store.lag(Set.of("t")).oldestAge()).isLessThan(Duration.ofSeconds(30));
        jdbi.useHandle(handle ->
                handle.execute("UPDATE outbox_events SET created_at = created_at - interval '1 hour' WHERE seq = 1"));
        assertThat(store.lag(Set.of("t")).oldestAge()).isBetween(Duration.ofMinutes(60), Duration.ofMinutes(61));

        Routes routes = Routes.builder().route("t", received, "x").build();
        try (Relay relay =
                Relay.builder(store, routes).retry(QUICK).deadLetters(letters).start()) {
            await().until(() -> received.numbers.size() == 5);
            Instant later = began.plus(Duration.ofHours(1));
            write(jdbi, 1, later);
            await().until(() -> received.times.contains(later));
            assertThat(received.numbers)
                    .isEqualTo(IntStream.of(0, 1, 2, 3, 4, 0).boxed().toList());
            aRefusedEventIsTriedAgainAfterItsBackoff(jdbi, letters, began);
            assertThat(relay.status().lastError()).isNull();
        }
        whatIsOlderThanTheRetentionGoes(jdbi, store);
    }

    private void aRefusedEventIsTriedAgainAfterItsBackoff(Jdbi jdbi, JdbiDeadLetterStore letters, Instant began) {
        received.refuses = true;
        write(jdbi, 1, null);
        await().until(() -> received.refusals.size() == 2);
        Duration between = Duration.ofNanos(received.refusals.get(1) - received.refusals.get(0));
        assertThat(between).isBetween(Duration.ofMillis(900), Duration.ofSeconds(5));
        await().until(() -> letters.open(10).size() == 1);
        DeadLetter letter = letters.open(10).get(0);
        assertThat(letter.firstFailureAt()).isBetween(began, now(jdbi));
        assertThat(Duration.between(letter.firstFailureAt(), letter.diedAt()))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(5));
    }

    private static void whatIsOlderThanTheRetentionGoes(Jdbi jdbi, JdbiOutboxStore store) {
        jdbi.useHandle(
                handle -> handle.execute("UPDATE outbox_events SET published_at = now() - seq * interval '10 minutes'"
                        + " WHERE published_at IS NOT NULL AND seq <= 6"));
        // 10 to 60 minutes ago, one each.
        assertThat(store.clean(Duration.ofMinutes(35), 1_000)).isEqualTo(3);
        assertThat(Database.published(jdbi)).hasSize(3);
    }

    private static void write(Jdbi jdbi, int n, @org.jspecify.annotations.Nullable Instant notBefore) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Event event = Event.of("t", "only", i);
            events.add(notBefore == null ? event : event.notBefore(notBefore));
        }
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, events));
    }

    private static Instant now(Jdbi jdbi) {
        return jdbi.withHandle(handle ->
                handle.createQuery("SELECT now()").mapTo(Instant.class).one());
    }

    private static Jdbi jakarta(int minutes) {
        DataSource source = Postgres.dataSource(Postgres.freshSchema() + ",pg_catalog");
        Jdbi jdbi = Jdbi.create(() -> {
            Connection connection = source.getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET TIME ZONE 'Asia/Jakarta'");
            }
            return connection;
        });
        jdbi.useHandle(handle -> {
            for (String clock : List.of("now", "clock_timestamp")) {
                handle.execute("CREATE FUNCTION " + clock + "() RETURNS timestamptz LANGUAGE sql AS 'SELECT pg_catalog."
                        + clock + "() + interval ''" + minutes + " minutes'''");
            }
            assertThat(handle.createQuery("SELECT date_trunc('minute', now() - pg_catalog.now()) = interval '" + minutes
                                    + " minutes' AND current_setting('TimeZone') = 'Asia/Jakarta'")
                            .mapTo(Boolean.class)
                            .one())
                    .isTrue();
        });
        return jdbi;
    }

    /** A sink that keeps what it got, and refuses all when told to. */
    private static final class Received implements Sink {
        private final List<Integer> numbers = new CopyOnWriteArrayList<>();
        private final List<Instant> times = new CopyOnWriteArrayList<>();
        private final List<Long> refusals = new CopyOnWriteArrayList<>();
        private volatile boolean refuses;

        @Override
        public String name() {
            return "received";
        }

        @Override
        public List<SinkAnswer> accept(List<Delivery> deliveries) {
            List<SinkAnswer> answers = new ArrayList<>();
            for (Delivery delivery : deliveries) {
                answers.add(refuses ? new SinkAnswer.Rejected("told to") : SinkAnswer.ACCEPTED);
                if (refuses) {
                    refusals.add(System.nanoTime());
                } else {
                    numbers.add(Integer.parseInt(delivery.payload()));
                    Instant at = delivery.options().at();
                    if (at != null) {
                        times.add(at);
                    }
                }
            }
            return answers;
        }
    }
}
