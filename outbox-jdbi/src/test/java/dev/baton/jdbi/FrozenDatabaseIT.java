package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Gate;
import dev.baton.servers.Postgres;
import java.net.URI;
import java.sql.Connection;
import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that vanished without a word: no connection breaks, and none answers. */
@Timeout(60)
class FrozenDatabaseIT {
    private static final Duration ANSWER = Duration.ofSeconds(1);

    private final String url = Postgres.freshSchema();
    private final Jdbi direct = Jdbi.create(Postgres.dataSource(url));
    private final MemorySink queue = new MemorySink("q");

    @Test
    void it_is_given_up_and_the_relay_goes_on_when_it_is_back() throws Exception {
        OutboxSchema.migrate(direct);
        URI server = URI.create(url.substring("jdbc:".length()));
        Routes routes = Routes.builder().route("a", queue, "x").build();
        try (Gate gate = Gate.to(server);
                HikariDataSource pool = pool(url.replace(server.getAuthority(), "127.0.0.1:" + gate.port()))) {
            JdbiOutboxStore store = new JdbiOutboxStore(
                    Jdbi.create(pool), OutboxTables.DEFAULT, new JdbiShard.Limits(Duration.ofSeconds(15), ANSWER));
            try (Relay relay = Relay.builder(store, routes).start()) {
                write(relay, 1);
                await().until(() -> relay.status().published() == 1);

                // In the middle of a turn: its next statement is never answered.
                queue.between = gate::freeze;
                write(relay, 2);
                await().atMost(ANSWER.plusSeconds(4))
                        .until(() -> !relay.status().healthy());
                queue.between = () -> {};

                gate.open();
                await().atMost(Duration.ofSeconds(5)).until(() -> relay.status().published() == 2);
                assertThat(relay.status().healthy()).isTrue();
            }
        }
        assertThat(queue.taken()).hasSize(2);
    }

    @Test
    void a_connection_has_its_own_timeout_again_when_it_goes_back_and_a_shorter_one_all_the_time() throws Exception {
        try (Connection connection = Postgres.dataSource(url).getConnection()) {
            Jdbi one = Jdbi.create(connection);
            try (Handle handle = BoundedHandle.open(one, ANSWER)) {
                assertThat(handle.getConnection().getNetworkTimeout()).isEqualTo(1_000);
            }
            assertThat(connection.getNetworkTimeout()).isZero();
            connection.setNetworkTimeout(Runnable::run, 300);
            try (Handle handle = BoundedHandle.open(one, ANSWER)) {
                assertThat(handle.getConnection().getNetworkTimeout()).isEqualTo(300);
            }
        }
    }

    private void write(Relay relay, int n) {
        direct.useTransaction(tx -> new JdbiOutboxWriter(relay::nudge).write(tx, Event.of("a", n, "{}")));
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(Postgres.dataSource(url));
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(1_000);
        return new HikariDataSource(config);
    }
}
