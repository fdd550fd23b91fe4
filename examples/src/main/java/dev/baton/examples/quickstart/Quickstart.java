package dev.baton.examples.quickstart;

import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import dev.baton.servers.Servers;
import java.util.concurrent.CountDownLatch;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Places one order in a transaction and captures its payment in a worker. */
public final class Quickstart {
    private Quickstart() {}

    /** What is placed. */
    record Order(String id, long total) {}

    /** What the handler calls; a foreign service in real life. */
    interface Gateway {
        void capture(Order order);
    }

    /** Runs on the servers named by {@code DATABASE_URL} and {@code REDIS_URL}, or on embedded ones. */
    public static void main(String[] args) throws InterruptedException {
        System.out.println(Servers.startAll());
        run(
                new Order("order-1", 250_000),
                order -> System.out.println("captured " + order.total() + " for " + order.id()));
    }

    /** Returns once the gateway was called. */
    static void run(Order order, Gateway foreign) throws InterruptedException {
        Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));
        OutboxSchema.migrate(jdbi);
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE orders (id text PRIMARY KEY, total bigint NOT NULL)"));
        CountDownLatch captured = new CountDownLatch(1);
        Gateway gateway = placed -> {
            foreign.capture(placed);
            captured.countDown();
        };
        try (RedisQueues redis = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix())) {
            // README: begin
            RedisJobQueue payments = redis.queue("payments");
            Routes routes = Routes.builder()
                    .route("order.placed", payments, "capture-payment")
                    .build();
            Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), routes).start();
            RedisWorker worker = RedisWorker.builder(payments)
                    .handle("capture-payment", job -> gateway.capture(job.payload(Order.class)))
                    .deadLetters(new JdbiDeadLetterStore(jdbi))
                    .start();
            OutboxWriter<Handle> outbox = new JdbiOutboxWriter(relay::nudge);

            jdbi.useTransaction(tx -> {
                tx.execute("INSERT INTO orders (id, total) VALUES (?, ?)", order.id(), order.total());
                outbox.write(tx, Event.of("order.placed", order.id(), order));
            });
            // README: end
            captured.await();
            worker.close();
            relay.close();
        }
    }
}
