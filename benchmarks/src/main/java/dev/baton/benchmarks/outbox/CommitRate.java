package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.FreshDatabase;
import dev.baton.benchmarks.Report;
import dev.baton.benchmarks.Rounds;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisSignal;
import dev.baton.servers.Redis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** How many transactions 200 writers commit, one event each: with the signal to the relay, without, and with NOTIFY. */
final class CommitRate {
    private static final int WRITERS = 200;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final OutboxWriter<Handle> PLAIN = new JdbiOutboxWriter();
    private static final OutboxWriter<Handle> NOTIFYING = (tx, events) -> {
        tx.execute("SELECT pg_notify('outbox', '')");
        return PLAIN.write(tx, events);
    };

    private CommitRate() {}

    static void run(Report report, int rounds) throws Exception {
        try (HikariDataSource pool = FreshDatabase.pool(WRITERS);
                RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
                RedisSignal signal = queues.signal("outbox").listen(() -> {})) {
            Jdbi jdbi = Jdbi.create(pool);
            OutboxSchema.migrate(jdbi);
            OutboxWriter<Handle> signalling = new JdbiOutboxWriter(signal::send);
            Rounds.Measurement ours = () -> measure(jdbi, signalling);
            report.add("write.200@nosignal", Figure.EVENTS, Rounds.run(rounds, ours, () -> measure(jdbi, PLAIN)));
            report.add("write.200@notify", Figure.EVENTS, Rounds.run(rounds, ours, () -> measure(jdbi, NOTIFYING)));
        }
    }

    private static Map<Figure, Double> measure(Jdbi jdbi, OutboxWriter<Handle> writer) throws Exception {
        jdbi.useHandle(handle -> handle.execute("TRUNCATE outbox_events"));
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try {
            long began = System.nanoTime();
            List<Future<Integer>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String aggregate = "order-" + i;
                writers.add(threads.submit(() -> commits(jdbi, writer, aggregate, began + NANOS)));
            }
            long commits = 0;
            for (Future<Integer> each : writers) {
                commits += each.get();
            }
            return Map.of(Figure.EVENTS, commits * 1e9 / (System.nanoTime() - began));
        } finally {
            threads.shutdownNow();
        }
    }

    private static int commits(Jdbi jdbi, OutboxWriter<Handle> writer, String aggregate, long until) {
        int commits = 0;
        while (System.nanoTime() - until < 0) {
            jdbi.useTransaction(tx -> writer.write(tx, Event.of(Payloads.TOPIC, aggregate, Payloads.of(1))));
            commits++;
        }
        return commits;
    }
}
