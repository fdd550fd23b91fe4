package dev.baton.examples.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.Event;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisSignal;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was committed in one process wakes the relay in another one: they have nothing in common but the servers. */
@Timeout(60)
class WakeUpIT {
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));
    private final String prefix = Redis.freshPrefix();

    @Test
    void an_event_is_handed_over_at_the_signal_though_the_relay_rests_for_seconds() {
        OutboxSchema.migrate(jdbi);
        try (RedisQueues here = RedisQueues.connect(Redis.get().uri(), prefix);
                RedisQueues there = RedisQueues.connect(Redis.get().uri(), prefix);
                Relay relay = Relay.builder(
                                new JdbiOutboxStore(jdbi),
                                Routes.builder()
                                        .route("order.placed", there.queue("payments"), "capture")
                                        .build())
                        .pollInterval(Duration.ofHours(1))
                        .start();
                RedisSignal heard = there.signal("outbox").listen(relay::nudge);
                RedisSignal sent = here.signal("outbox")) {
            assertThat(heard).isNotNull();
            // Its rests double: after this one it looks again in five seconds.
            await().until(() -> relay.status().lastPass().toMillis() > 2_700);
            JdbiOutboxWriter writer = new JdbiOutboxWriter(sent::send);
            jdbi.useTransaction(tx -> writer.write(tx, Event.of("order.placed", "order-1", "{}")));
            await().atMost(Duration.ofSeconds(1))
                    .until(() -> here.queue("payments").counts().ready() == 1);
        }
    }
}
