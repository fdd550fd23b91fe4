package dev.baton.benchmarks.outbox;

import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.FreshDatabase;
import dev.baton.benchmarks.Report;
import dev.baton.benchmarks.Rounds;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.OutboxWriter;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisSignal;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** How many transactions 200 writers commit, one event each: with the signal to the relay, without, and with NOTIFY. */
final class CommitRate {
    private static final int WRITERS = 200;
    private static final Duration LENGTH = Duration.ofSeconds(5);
    private static final OutboxWriter<Handle> PLAIN = new JdbiOutboxWriter();
    private static final OutboxWriter<Handle> NOTIFYING = (tx, events) -> {
        tx.execute("SELECT pg_notify('outbox', '')");
        return PLAIN.write(tx, events);
    };

    private CommitRate() {}

    static void run(Report report, int rounds) throws Exception {
        FreshDatabase.use(WRITERS, pool -> {
            try (RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
                    RedisSignal signal = queues.signal("outbox").listen(() -> {})) {
                Jdbi jdbi = Jdbi.create(pool);
                OutboxSchema.migrate(jdbi);
                OutboxWriter<Handle> signalling = new JdbiOutboxWriter(signal::send);
                Rounds.Measurement ours = () -> measure(jdbi, signalling);
                report.add("write.200@nosignal", Figure.EVENTS, Rounds.run(rounds, ours, () -> measure(jdbi, PLAIN)));
                report.add("write.200@notify", Figure.EVENTS, Rounds.run(rounds, ours, () -> measure(jdbi, NOTIFYING)));
            }
            return report;
        });
    }

    private static Map<Figure, Double> measure(Jdbi jdbi, OutboxWriter<Handle> writer) throws Exception {
        jdbi.useHandle(handle -> handle.execute("TRUNCATE outbox_events"));
        try (Writers threads = new Writers(WRITERS)) {
            return threads.write(
                    payload -> jdbi.useTransaction(tx -> writer.write(tx, Payloads.event(payload))), LENGTH);
        }
    }
}
