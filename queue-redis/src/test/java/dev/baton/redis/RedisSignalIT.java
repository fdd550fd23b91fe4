package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.servers.Redis;
import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

@Timeout(60)
class RedisSignalIT {
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();

    @Test
    void a_user_with_the_rights_that_the_guide_names_can_send_and_listen() {
        try (RedisProcess server = RedisProcess.start();
                Jedis admin = SentinelGroup.jedis(server)) {
            admin.aclSetUser(
                    "shop",
                    ("reset on >password ~{shop:* +@read +@write +@connection +eval +evalsha +time +info"
                                    + " +publish +subscribe resetchannels &{shop:*")
                            .split(" "));
            RedisServers servers = RedisServers.single(server.uri()).withCredentials("shop", "password");
            try (RedisQueues queues = RedisQueues.connect(servers, "shop");
                    RedisSignal listener = queues.signal("outbox").listen(first::incrementAndGet);
                    RedisSignal sender = queues.signal("outbox")) {
                await().until(() -> first.get() > 0);
                int before = first.get();
                sender.send();
                await().until(() -> first.get() > before);
                assertThat(listener).isNotNull();
            }
        }
    }

    @Test
    void a_signal_reaches_all_listeners_soon_and_many_at_once_are_few_messages() {
        try (RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
                RedisSignal one = queues.signal("outbox").listen(first::incrementAndGet);
                RedisSignal two = queues.signal("outbox").listen(second::incrementAndGet);
                RedisSignal sender = queues.signal("outbox");
                RedisSignal other = queues.signal("other")) {
            // To have subscribed counts as a signal.
            await().until(() -> first.get() > 0 && second.get() > 0);
            int before = first.get();
            other.send();
            sender.send();
            await().atMost(Duration.ofSeconds(2)).until(() -> first.get() == before + 1 && second.get() > 1);
            for (int i = 0; i < 100_000; i++) {
                sender.send();
            }
            await().until(() -> first.get() > before + 1);
            assertThat(first.get()).isLessThan(before + 200);
            assertThatThrownBy(() -> one.listen(() -> {})).isInstanceOf(IllegalStateException.class);
            assertThat(two).isNotNull();
        }
    }

    @Test
    void a_server_that_is_away_hurts_nobody_and_is_heard_again_when_it_is_back() {
        try (RedisProcess redis = RedisProcess.start();
                RedisQueues queues = RedisQueues.connect(redis.uri(), "p");
                RedisSignal signal = queues.signal("outbox").listen(first::incrementAndGet)) {
            await().until(() -> first.get() > 0);
            redis.kill();
            signal.send();
            redis.restart();
            int before = first.get();
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                signal.send();
                return first.get() > before + 1;
            });
        }
    }
}
