package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All that a relay does, on a pool that has hardly a connection. */
@Timeout(60)
class SmallPoolIT {
    private static final int GOOD = 2_000;
    private static final int BAD = 40;

    private final String url = Postgres.freshSchema();
    private final Jdbi direct = Jdbi.create(Postgres.dataSource(url));
    private final MemorySink queue = new MemorySink("q");

    /** Two are what the documentation asks for; on one the duties wait for each other. */
    @ParameterizedTest(name = "{0} connections")
    @ValueSource(ints = {1, 2})
    void events_go_refused_ones_are_buried_old_ones_deleted_and_the_lag_is_told(int connections) {
        OutboxSchema.migrate(direct);
        queue.bad = event -> event.aggregateId().startsWith("bad");
        old(1_500);
        write();
        try (HikariDataSource pool = pool(connections)) {
            Jdbi jdbi = Jdbi.create(pool);
            JdbiDeadLetterStore letters = new JdbiDeadLetterStore(jdbi);
            RetryPolicy twice = new RetryPolicy(2, 50, Backoff.fixed(Duration.ofMillis(50)));
            try (Relay relay = Relay.builder(
                            new JdbiOutboxStore(jdbi),
                            Routes.builder().route("a", queue, "x").build())
                    .retry(twice)
                    .deadLetters(letters)
                    .batchSize(100)
                    .start()) {
                await().pollInterval(Duration.ofMillis(10))
                        .until(() -> relay.lag().unpublished() == 0);
                await().until(() -> deleted() == 1_500);
                assertThat(relay.status().lastError()).isNull();
                assertThat(relay.status().published()).isEqualTo(GOOD);
            }
            assertThat(letters.open(1_000)).hasSize(BAD);
        }
        assertThat(queue.taken()).hasSize(GOOD);
    }

    private void old(int n) {
        direct.useHandle(handle -> handle.execute(
                "INSERT INTO outbox_events (id, topic, aggregate_id, payload, published_at, batch)"
                        + " SELECT gen_random_uuid(), 'a', 'old', '{}', now() - interval '8 days', 0"
                        + " FROM generate_series(1, ?)",
                n));
    }

    private long deleted() {
        return 1_500
                - direct.withHandle(
                        handle -> handle.createQuery("SELECT count(*) FROM outbox_events WHERE aggregate_id = 'old'")
                                .mapTo(Long.class)
                                .one());
    }

    private void write() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < GOOD; i++) {
            events.add(Event.of("a", "good-" + i % 100, "{}"));
            if (i % (GOOD / BAD) == 0) {
                events.add(Event.of("a", "bad-" + i, "{}"));
            }
        }
        direct.useTransaction(tx -> new JdbiOutboxWriter().write(tx, events));
    }

    private HikariDataSource pool(int connections) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(Postgres.dataSource(url));
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(5_000);
        return new HikariDataSource(config);
    }
}
