package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.servers.RedisProcess;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Whoever looks for an answer reads the clock. */
@Timeout(60)
class PolledSocketsIT {
    private final RedisProcess server = RedisProcess.start();
    private final HostAndPort node =
            new HostAndPort(server.uri().getHost(), server.uri().getPort());
    private final AtomicLong readings = new AtomicLong();
    private final BusyPoll.Gate gate = new BusyPoll.Gate(Duration.ofMillis(1), 2, () -> {
        readings.incrementAndGet();
        return System.nanoTime();
    });
    private final Nodes nodes = new Nodes(RedisServers.single(server.uri()).config(), Duration.ofSeconds(2), gate);

    @AfterEach
    void close() {
        nodes.close();
        server.close();
    }

    @Test
    void calls_on_connections_of_the_pool_look_for_their_answers() {
        try (Connection connection = nodes.borrow(node)) {
            long before = readings.get();
            assertThat(connection.ping()).isTrue();
            assertThat(readings).hasValueGreaterThan(before);
        }
    }

    @Test
    void who_waits_on_a_connection_of_its_own_sleeps() {
        try (Connection connection = nodes.open(node)) {
            assertThat(connection.ping()).isTrue();
        }
        assertThat(readings).hasValue(0);
    }

    @Test
    void a_server_that_hangs_costs_the_answer_time_out_and_no_more() {
        try (Connection connection = nodes.borrow(node)) {
            connection.setSoTimeout(200);
            server.pause();
            long began = System.nanoTime();
            assertThatThrownBy(connection::ping)
                    .isInstanceOf(JedisConnectionException.class)
                    .hasMessageContaining("timed out");
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(Duration.ofMillis(200), Duration.ofSeconds(2));
            nodes.giveUp(node);
        } finally {
            server.resume();
        }
    }

    @Test
    void a_server_that_dies_while_one_looks_is_a_broken_connection() {
        try (Connection connection = nodes.borrow(node)) {
            server.kill();
            assertThatThrownBy(connection::ping).isInstanceOf(JedisConnectionException.class);
            assertThat(connection.isBroken()).isTrue();
            nodes.giveUp(node);
        }
    }

    @Test
    void a_socket_is_set_as_Jedis_sets_its_own() throws IOException {
        JedisClientConfig config = RedisServers.single(server.uri())
                .withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(3))
                .config();
        try (Socket polled = new PolledSockets(node, config, gate).createSocket();
                Socket usual = new DefaultJedisSocketFactory(node, config).createSocket()) {
            assertThat(polled.getSoTimeout()).isEqualTo(usual.getSoTimeout()).isEqualTo(3_000);
            assertThat(polled.getTcpNoDelay()).isEqualTo(usual.getTcpNoDelay()).isTrue();
            assertThat(polled.getKeepAlive()).isEqualTo(usual.getKeepAlive()).isTrue();
            assertThat(polled.getSoLinger()).isEqualTo(usual.getSoLinger()).isZero();
        }
    }

    @Test
    void a_node_that_cannot_be_connected_to_is_named() {
        HostAndPort unknown = new HostAndPort("no-such-host.invalid", 6379);
        assertThatThrownBy(() -> nodes.borrow(unknown))
                .isInstanceOf(JedisConnectionException.class)
                .hasStackTraceContaining("the host of no-such-host.invalid:6379 is not known");
        server.kill();
        assertThatThrownBy(() -> nodes.borrow(node))
                .isInstanceOf(JedisConnectionException.class)
                .hasStackTraceContaining("no address of " + node + " can be connected to");
    }
}
