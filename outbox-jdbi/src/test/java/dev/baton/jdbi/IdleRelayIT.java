package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.spi.JdbiPlugin;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a relay asks of PostgreSQL while there is nothing to do. */
@Timeout(60)
class IdleRelayIT {
    private static final Duration POLL = Duration.ofMillis(40);
    private static final int POLLS = 50;
    private static final int UNKNOWN = 150;

    /** While the rest of each shard grows from 10 ms to the poll interval; what cleans, and what buries. */
    private static final int BEGINNING = 3;

    private final Jdbi jdbi = Database.fresh();
    private final MemorySink queue = new MemorySink("q");
    private final AtomicBoolean idle = new AtomicBoolean();
    private final List<String> statements = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void a_relay_with_nothing_but_poison_and_unknown_topics_asks_once_in_a_poll_interval_and_writes_nothing(
            int shards) {
        jdbi.installPlugin(new ReadOnlyWhileIdle());
        jdbi.setSqlLogger(new SqlLogger() {
            @Override
            public void logBeforeExecution(StatementContext context) {
                statements.add(String.valueOf(context.getRenderedSql()));
            }
        });
        queue.bad = event -> event.topic().equals("poison");
        Routes routes = Routes.builder()
                .route("a", queue, "x")
                .route("poison", queue, "x")
                .build();
        try (Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), routes)
                .deadLetters(new JdbiDeadLetterStore(jdbi))
                .pollInterval(POLL)
                .shards(shards)
                .retry(new RetryPolicy(3, 3, Backoff.fixed(Duration.ofHours(1))))
                .start()) {
            for (int i = 0; i < UNKNOWN; i++) {
                write("unknown");
            }
            write("poison");
            write("a");
            await().until(() ->
                    relay.status().published() == 1 && relay.status().refused() == 1);
            // It cleans once a minute, after its first successful turn.
            await().until(() -> statements.stream().anyMatch(statement -> statement.startsWith("DELETE")));
            int asked = statements.size();
            await().until(() -> statements.size() > asked + BEGINNING * shards);
            idle.set(true);
            statements.clear();
            long began = System.nanoTime();
            await().until(() -> statements.size() >= POLLS);
            List<String> seen = List.copyOf(statements);
            long polls = (System.nanoTime() - began) / POLL.toNanos();
            assertThat(seen.size()).isLessThanOrEqualTo((int) polls + BEGINNING * shards);
            assertThat(seen)
                    .allMatch(statement -> statement.strip().startsWith("SELECT")
                            || statement.strip().startsWith("(SELECT"));
            assertThat(relay.status().lastError()).isNull();
            idle.set(false);
            write("a");
            await("found without a hint").until(() -> relay.status().published() == 2);
        }
    }

    private void write(String topic) {
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, Event.of(topic, topic, "{}")));
    }

    /** PostgreSQL itself refuses any write. */
    private final class ReadOnlyWhileIdle implements JdbiPlugin {
        @Override
        public Connection customizeConnection(Connection connection) {
            try {
                connection.setReadOnly(idle.get());
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            return connection;
        }
    }
}
