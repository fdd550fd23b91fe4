package dev.baton.examples.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.idempotency.Guard;
import dev.baton.idempotency.GuardSchema;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.job.Job;
import dev.baton.outbox.Event;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/** Redis loses everything and then its last writes, while a writer and a guarded worker go on (O6). */
@Timeout(180)
class RedisLossIT {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int SOME = 1_000;

    private final HikariDataSource pool = new HikariDataSource();
    private final Jdbi jdbi = Jdbi.create(pool);
    private final RedisProcess redis = RedisProcess.start("--appendonly", "no", "--save", "");
    private final RedisQueues queues = RedisQueues.connect(redis.uri(), Redis.freshPrefix());
    private final RedisJobQueue queue = queues.queue("loyalty");
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter();
    private final Guard guard = Guard.forConsumer("loyalty");
    private volatile boolean writing = true;

    RedisLossIT() {
        pool.setDataSource(Postgres.dataSource(Postgres.freshSchema()));
        OutboxSchema.migrate(jdbi);
        GuardSchema.migrate(jdbi);
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE effects (message_id uuid NOT NULL)"));
    }

    @AfterEach
    void close() {
        queues.close();
        redis.close();
        pool.close();
    }

    @Test
    void after_a_flush_and_a_loss_of_the_last_writes_every_event_has_its_effect_once() {
        Routes routes = Routes.builder().route("placed", queue, "award").build();
        CompletableFuture<Void> writes = CompletableFuture.runAsync(this::write);
        try (Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), routes).start()) {
            await().until(() -> relay.status().published() >= SOME);
            long before = relay.status().published();
            try (Jedis jedis = new Jedis(redis.uri())) {
                jedis.flushAll();
            }
            await("handed over again").atMost(BOUND).until(() -> relay.status().healed() >= before);

            try (RedisWorker worker = worker();
                    Jedis jedis = new Jedis(redis.uri())) {
                await().until(() -> effects() >= SOME);
                jedis.save();
                long saved = relay.status().published();
                long healed = relay.status().healed();
                await().until(() -> relay.status().published() >= saved + SOME);
                redis.kill();
                redis.restart();
                await("handed over again")
                        .atMost(BOUND)
                        .until(() -> relay.status().healed() >= healed + SOME);
                writing = false;
                writes.join();
                await().atMost(BOUND).until(() -> effects() == events());
                await().atMost(BOUND).until(() -> queue.counts().pending() == 0);
                assertThat(worker).isNotNull();
            }
        }
        assertThat(number("SELECT count(*) FROM effects")).as("effects").isEqualTo(events());
        assertThat(number("SELECT count(*) FROM outbox_events e JOIN effects x ON x.message_id = e.id"))
                .isEqualTo(events());
    }

    /** Goes on whatever becomes of Redis. */
    private void write() {
        for (int order = 0; writing; order++) {
            Event event = Event.of("placed", "customer-" + order % 10, "{}");
            jdbi.useTransaction(tx -> writer.write(tx, event));
        }
    }

    private RedisWorker worker() {
        return RedisWorker.builder(queue)
                .concurrency(4)
                .lease(Duration.ofSeconds(1))
                .handle("award", this::award)
                .start();
    }

    private void award(Job job) {
        jdbi.useTransaction(tx -> guard.once(
                tx, job.messageId(), () -> tx.execute("INSERT INTO effects VALUES (?::uuid)", job.messageId())));
    }

    private long effects() {
        return number("SELECT count(DISTINCT message_id) FROM effects");
    }

    private long events() {
        return number("SELECT count(*) FROM outbox_events");
    }

    private long number(String sql) {
        return jdbi.withHandle(
                handle -> handle.createQuery(sql).mapTo(Long.class).one());
    }
}
