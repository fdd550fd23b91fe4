package dev.baton.benchmarks.outbox;

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
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.FlushMode;

/**
 * Ours.
 *
 * @param redis emptied before each session
 * @param shards of the relay
 * @param withWorker whether a worker runs the jobs of one queue, under the guard; else two queues are filled
 */
record Baton(URI redis, int shards, boolean withWorker) implements Library {
    private static final int CHUNK = 1_000;

    @Override
    public String name() {
        return "baton";
    }

    @Override
    public BatonSession open(HikariDataSource pool) {
        try (Jedis jedis = new Jedis(redis)) {
            // In the background: two million jobs take it longer than a client waits.
            jedis.flushAll(FlushMode.ASYNC);
        }
        Jdbi jdbi = Jdbi.create(pool);
        OutboxSchema.migrate(jdbi);
        GuardSchema.migrate(jdbi);
        return new BatonSession(jdbi, RedisQueues.connect(redis, "bench"), this);
    }

    /** A relay that is started later, and is nudged after each commit from then on. */
    static final class BatonSession implements Session {
        private final Jdbi jdbi;
        private final RedisQueues queues;
        private final Baton settings;
        private final JdbiOutboxWriter writer = new JdbiOutboxWriter(this::nudge);
        private final Guard guard = Guard.forConsumer("bench");
        private final AtomicLong handled = new AtomicLong();
        private volatile @Nullable Relay relay;
        private @Nullable RedisWorker worker;

        private BatonSession(Jdbi jdbi, RedisQueues queues, Baton settings) {
            this.jdbi = jdbi;
            this.queues = queues;
            this.settings = settings;
        }

        Jdbi jdbi() {
            return jdbi;
        }

        @Override
        public void record(String payload) {
            jdbi.useTransaction(tx -> writer.write(tx, Payloads.event(payload)));
        }

        @Override
        public void backlog(int events) {
            for (int from = 0; from < events; from += CHUNK) {
                List<Event> chunk = new ArrayList<>();
                for (String payload : Payloads.chunk(from, Math.min(events, from + CHUNK))) {
                    chunk.add(Payloads.event(payload));
                }
                record(chunk);
            }
        }

        /** In one transaction. */
        void record(List<Event> events) {
            jdbi.useTransaction(tx -> writer.write(tx, events));
        }

        @Override
        public void start(Consumer<String> handler) {
            RedisJobQueue payments = queues.queue("payments");
            Routes.Builder routes = Routes.builder().route(Payloads.TOPIC, payments, "capture");
            Poison.route(routes, payments);
            if (settings.withWorker()) {
                worker = RedisWorker.builder(payments)
                        .concurrency(WORKERS)
                        .handle("capture", job -> handle(job, handler))
                        .start();
            } else {
                routes.route(Payloads.TOPIC, queues.queue("mail"), "confirm");
            }
            relay = Relay.builder(new JdbiOutboxStore(jdbi), routes.build())
                    .shards(settings.shards())
                    .start();
        }

        /** Hands over no more, and forgets how many it did. */
        void stop() {
            Relay started = relay;
            if (started != null) {
                started.close();
            }
            relay = null;
        }

        @Override
        public long handed() {
            Relay started = relay;
            return settings.withWorker() || started == null
                    ? handled.get()
                    : started.status().published();
        }

        @Override
        public void close() {
            stop();
            if (worker != null) {
                worker.close();
            }
            queues.close();
        }

        private void handle(Job job, Consumer<String> handler) {
            handler.accept(job.payload());
            jdbi.useTransaction(tx -> guard.once(tx, job.messageId(), () -> {}));
            handled.incrementAndGet();
        }

        private void nudge() {
            Relay started = relay;
            if (started != null) {
                started.nudge();
            }
        }
    }
}
