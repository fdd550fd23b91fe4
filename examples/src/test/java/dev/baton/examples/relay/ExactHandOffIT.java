package dev.baton.examples.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.Event;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.relay.Relay;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import dev.baton.servers.RedisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/**
 * Relays that are killed or stopped between Redis and the commit, and a Redis that loses data. The workers finish each job at
 * once, so nothing but the queues' memory of the last batch can recognise a repeat.
 */
@Timeout(900)
class ExactHandOffIT {
    private static final int KILLS = Integer.getInteger("baton.kills", 8);

    private final String url = Postgres.freshSchema();
    private final String prefix = Redis.freshPrefix();
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(url));
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter();
    private final RedisProcess redis = RedisProcess.start("--appendonly", "no", "--save", "");
    private final RedisQueues queues = RedisQueues.connect(redis.uri(), prefix);
    private final RedisJobQueue payments = queues.queue("payments");
    private final RedisJobQueue mail = queues.queue("mail");
    private final Map<String, List<Integer>> ran = new ConcurrentHashMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private int written;

    ExactHandOffIT() {
        OutboxSchema.migrate(jdbi);
        open.add(worker(payments));
        open.add(worker(mail));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        queues.close();
        redis.close();
    }

    @Test
    void a_relay_that_is_killed_after_redis_and_before_the_commit_leaves_nothing_twice_and_nothing_behind()
            throws Exception {
        long longest = 0;
        for (int i = 0; i < KILLS; i++) {
            write(30);
            Process child = child("halt", 1 + i % 2);
            assertThat(child.waitFor()).isEqualTo(137);
            long died = System.nanoTime();
            try (Relay next = relay().start()) {
                await().pollInterval(Duration.ofMillis(5))
                        .until(() -> next.status().published() > 0);
                longest = Math.max(longest, System.nanoTime() - died);
                write(5);
                awaitAll(next);
            }
        }
        assertWhole();
        assertThat(longest).isLessThan(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void a_relay_that_is_stopped_in_mid_batch_for_longer_than_its_transaction_may_last_changes_nothing_when_it_wakes()
            throws Exception {
        write(30);
        Process stopped = child("pause", 1);
        BufferedReader says = stopped.inputReader(StandardCharsets.UTF_8);
        awaitLine(says, RelayProcess.IN_MID_BATCH);
        signal("STOP", stopped);
        try (Relay next = relay().start()) {
            write(30);
            // PostgreSQL ends the stopped one's transaction after 15 s.
            await().atMost(Duration.ofSeconds(25)).until(() -> next.status().published() == 60);
            signal("CONT", stopped);
            awaitLine(says, RelayProcess.WENT_ON);
            write(30);
            awaitAll(next);
        }
        write(10);
        await().until(() -> unpublished() == 0);
        stopped.destroyForcibly().waitFor();
        awaitRan();
        assertWhole();
    }

    @Test
    void after_a_flush_everything_that_is_retained_is_handed_over_again() {
        try (Relay relay = relay().start()) {
            write(500);
            awaitAll(relay);
            try (Jedis jedis = new Jedis(redis.uri())) {
                jedis.flushAll();
            }
            long lost = System.nanoTime();
            await().atMost(Duration.ofSeconds(60)).until(() -> relay.status().healed() == 1_000);
            System.out.printf("BENCH healed 1,000 jobs %.1f s after the flush%n", (System.nanoTime() - lost) / 1e9);
            write(10);
            awaitAll(relay);
            await().untilAsserted(() -> {
                List<Integer> twice =
                        new ArrayList<>(IntStream.range(0, 500).boxed().toList());
                twice.addAll(IntStream.range(0, 510).boxed().toList());
                assertThat(ran.get("payments")).isEqualTo(twice);
                assertThat(ran.get("mail")).isEqualTo(twice);
            });
        }
    }

    @Test
    void a_redis_that_comes_back_without_its_last_writes_gets_those_again_and_no_others() {
        try (Relay relay = relay().start()) {
            write(100);
            awaitAll(relay);
            try (Jedis jedis = new Jedis(redis.uri())) {
                jedis.save();
            }
            write(50);
            awaitAll(relay);
            redis.kill();
            redis.restart();
            write(10);
            await().atMost(Duration.ofSeconds(60)).until(() -> relay.status().healed() == 100);
            awaitAll(relay);
            await().untilAsserted(() -> {
                List<Integer> again =
                        new ArrayList<>(IntStream.range(0, 150).boxed().toList());
                again.addAll(IntStream.range(100, 160).boxed().toList());
                assertThat(ran.get("payments")).isEqualTo(again);
            });
        }
    }

    private Process child(String does, int batch) throws IOException {
        ProcessBuilder child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RelayProcess.class.getName(),
                        url,
                        redis.uri().toString(),
                        prefix,
                        does,
                        Integer.toString(batch))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        child.environment().put("DATABASE_URL", Postgres.get().databaseUrl());
        Process process = child.start();
        open.add(() -> process.destroyForcibly().waitFor());
        return process;
    }

    private dev.baton.relay.RelayBuilder relay() {
        return RelayProcess.relay(url, payments, mail);
    }

    /** One aggregate, counted up. */
    private void write(int n) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            events.add(Event.of("counted", "only", Integer.toString(written++)));
        }
        jdbi.useTransaction(tx -> writer.write(tx, events));
    }

    private void awaitAll(Relay relay) {
        relay.nudge();
        await().atMost(Duration.ofSeconds(30)).until(() -> unpublished() == 0);
        awaitRan();
    }

    private void awaitRan() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> payments.counts().pending() + mail.counts().pending() == 0);
    }

    private int unpublished() {
        return jdbi.withHandle(
                handle -> handle.createQuery("SELECT count(*) FROM outbox_events WHERE published_at IS NULL")
                        .mapTo(Integer.class)
                        .one());
    }

    private void assertWhole() {
        List<Integer> all = IntStream.range(0, written).boxed().toList();
        assertThat(ran.get("payments")).isEqualTo(all);
        assertThat(ran.get("mail")).isEqualTo(all);
    }

    private RedisWorker worker(RedisJobQueue queue) {
        return RedisWorker.builder(queue)
                .concurrency(1)
                .handle(
                        "count",
                        job -> ran.computeIfAbsent(queue.name(), name -> new CopyOnWriteArrayList<>())
                                .add(job.payload(Integer.class)))
                .start();
    }

    private static void awaitLine(BufferedReader reader, String line) throws IOException {
        for (String read = reader.readLine(); !line.equals(read); read = reader.readLine()) {
            assertThat(read).as("the process ended").isNotNull();
        }
    }

    private static void signal(String name, Process process) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }
}
