package dev.baton.examples.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.outbox.Event;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisSignal;
import dev.baton.redis.RedisWorker;
import dev.baton.relay.Relay;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import dev.baton.servers.Gate;
import dev.baton.servers.Redis;
import dev.baton.servers.RedisProcess;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scenario O5: a server is away for a while, and the relay comes back by itself. Events are written all the time. */
@Timeout(300)
class OutagesIT {
    private static final int SECONDS = Integer.getInteger("baton.outage.seconds", 3);
    private static final Duration RESUME = Duration.ofSeconds(5);

    private final RelayRole role = new RelayRole();
    private final Gate postgres = Gate.to(role.server());
    private final RedisProcess server = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always");
    private final Gate redis = Gate.to(server.uri());
    private final Gate signalRedis = Gate.to(server.uri());
    private final String prefix = Redis.freshPrefix();
    private final RedisQueues direct = RedisQueues.connect(server.uri(), prefix);
    private final RedisQueues ofRelay = RedisQueues.connect(through(redis), prefix);
    private final RedisQueues ofSignal = RedisQueues.connect(through(signalRedis), prefix);
    private final RedisSignal signal = ofSignal.signal("outbox");
    private final Map<String, List<Integer>> ran = new ConcurrentHashMap<>();
    private final List<RedisWorker> workers = List.of(worker("payments"), worker("mail"));
    private final LogLines lines = new LogLines();
    private final Relay relay = relay(postgres);
    private final CountingWriter writer = new CountingWriter(role.owner(), signal::send);

    @AfterEach
    void close() {
        writer.close();
        relay.close();
        signal.close();
        workers.forEach(RedisWorker::close);
        List.of(ofSignal, ofRelay, direct).forEach(RedisQueues::close);
        List.of(signalRedis, redis, postgres).forEach(Gate::close);
        server.close();
        lines.close();
        role.drop();
    }

    @Test
    void redis_is_away() {
        outage(server::stop, server::restart, SECONDS);
    }

    @Test
    void postgresql_is_away() {
        outage(postgres::shut, postgres::open, SECONDS);
    }

    @Test
    void postgresql_is_read_only() {
        outage(() -> role.readOnly(true), () -> role.readOnly(false), (SECONDS + 1) / 2);
    }

    @Test
    void a_relay_that_is_started_during_an_outage_asks_with_one_voice_and_begins_when_it_is_over() {
        await().until(() -> relay.status().published() > 0);
        lines.clear();
        try (Gate shut = Gate.to(role.server())) {
            shut.shut();
            try (Relay second = relay(shut)) {
                await().until(() -> !second.status().healthy());
                passes(1);
                assertThat(shut.mostInASecond()).isBetween(1, 5);
                assertThat(lines.of("relay")).isEqualTo(1);
                shut.open();
                await().atMost(RESUME).until(() -> second.status().healthy());
            }
        }
        everythingArrivesOnceAndInOrder();
    }

    private void outage(Runnable begin, Runnable end, int seconds) {
        await().until(() -> relay.status().published() > 100);
        assertThat(relay.status().healthy()).isTrue();
        lines.clear();

        begin.run();
        await().atMost(RESUME.plusSeconds(1)).until(() -> !relay.status().healthy());
        // Not before: a relay whose database is read-only goes on asking, quickly and in vain, until there is something
        // to hand over.
        List.of(postgres, redis, signalRedis).forEach(Gate::countFromNow);
        long marked = role.published();
        passes(seconds);
        assertThat(role.published()).as("marked while nobody could accept it").isEqualTo(marked);
        assertThat(relay.status().healthy()).as("degraded").isFalse();
        assertThat(relay.status().lastError()).contains("shard 0");
        assertThat(postgres.mostInASecond()).as("PostgreSQL").isLessThanOrEqualTo(5);
        assertThat(redis.mostInASecond()).as("Redis").isLessThanOrEqualTo(5);
        assertThat(signalRedis.mostInASecond()).as("Redis by the signal").isLessThanOrEqualTo(5);
        assertThat(lines.of("relay")).as("lines in " + seconds + " s").isBetween(1, 1 + seconds / 10);
        assertThat(lines.mostOfAComponent()).isLessThanOrEqualTo(1 + seconds / 10);

        end.run();
        long last = role.lastWritten();
        await().atMost(RESUME).until(() -> relay.status().healthy() && role.unpublishedUpTo(last) == 0);
        everythingArrivesOnceAndInOrder();
    }

    private void everythingArrivesOnceAndInOrder() {
        writer.close();
        List<Integer> all = IntStream.range(0, writer.written()).boxed().toList();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(ran.get("payments")).isEqualTo(all);
            assertThat(ran.get("mail")).isEqualTo(all);
        });
        assertThat(relay.status().healed()).as("marked, but not accepted").isZero();
    }

    private Relay relay(Gate database) {
        Jdbi jdbi = role.through(database);
        Routes routes = Routes.builder()
                .route("counted", inOrder("payments"), inOrder("mail"))
                .build();
        return Relay.builder(new JdbiOutboxStore(jdbi), routes)
                .deadLetters(new JdbiDeadLetterStore(jdbi))
                .start();
    }

    private Route inOrder(String queue) {
        return Route.to(ofRelay.queue(queue), "count").orderedBy(Event::aggregateId);
    }

    private RedisWorker worker(String name) {
        RedisJobQueue queue = direct.queue(name);
        return RedisWorker.builder(queue)
                .concurrency(1)
                .handle(
                        "count",
                        job -> ran.computeIfAbsent(name, n -> new CopyOnWriteArrayList<>())
                                .add(job.payload(Integer.class)))
                .start();
    }

    /** The length of an outage is the condition itself here. */
    private static void passes(int seconds) {
        Duration time = Duration.ofSeconds(seconds);
        await().pollDelay(time).atMost(time.plusSeconds(10)).until(() -> true);
    }

    private static URI through(Gate gate) {
        return URI.create("redis://127.0.0.1:" + gate.port());
    }
}
