package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReconnectIT {
    /** One per loop, and the check at the start; twice as many to be sure. */
    private static final int FIRST_CALLS = 8;

    @Test
    void a_worker_rests_after_failures_as_its_connection_says() throws IOException {
        Duration tenMinutes = Duration.ofMinutes(10);
        try (HangsUp usual = new HangsUp();
                HangsUp rare = new HangsUp();
                RedisQueues often = RedisQueues.connect(usual.servers(), "p");
                RedisQueues seldom = RedisQueues.connect(rare.servers().withReconnect(tenMinutes, tenMinutes), "p");
                RedisWorker resting = worker(seldom);
                RedisWorker trying = worker(often)) {
            await().atMost(Duration.ofSeconds(50))
                    .until(() -> rare.calls.get() > 0 && usual.calls.get() > 2 * FIRST_CALLS);
            assertThat(rare.calls).hasValueLessThanOrEqualTo(FIRST_CALLS);
            assertThat(resting).isNotSameAs(trying);
        }
    }

    @Test
    void rests_out_of_bounds_are_refused() {
        RedisServers servers = RedisServers.single(URI.create("redis://localhost:6379"));
        assertThatThrownBy(() -> servers.withReconnect(Duration.ofMillis(50), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the first rest after a failure");
    }

    private static RedisWorker worker(RedisQueues queues) {
        return RedisWorker.builder(queues.queue("q")).handle("work", job -> {}).start();
    }

    /** A server that takes each call and hangs up. */
    private static final class HangsUp implements AutoCloseable {
        private final AtomicInteger calls = new AtomicInteger();
        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

        HangsUp() throws IOException {
            Thread thread = new Thread(this::hangUp, "hangs-up");
            thread.setDaemon(true);
            thread.start();
        }

        RedisServers servers() {
            return RedisServers.single(URI.create("redis://127.0.0.1:" + socket.getLocalPort()));
        }

        private void hangUp() {
            while (!socket.isClosed()) {
                try {
                    socket.accept().close();
                    calls.incrementAndGet();
                } catch (IOException closed) {
                    // The loop looks whether that was the end.
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
