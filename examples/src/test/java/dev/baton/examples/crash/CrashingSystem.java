package dev.baton.examples.crash;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.failure.PermanentException;
import dev.baton.failure.RetryPolicy;
import dev.baton.idempotency.Guard;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.JdbiRedriver;
import dev.baton.job.Job;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.relay.Relay;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;

/** An order, its event, the relay, a worker that awards a point, dead letters: all that dies at one point. */
final class CrashingSystem implements AutoCloseable {
    static final String QUEUE = "loyalty";
    static final String JOB = "award-points";
    static final String POISON = "poison";
    static final String REFUSED = "refused";

    private final CrashPoint point;
    private final Jdbi jdbi;
    private final RedisQueues queues;
    private final Routes routes;
    private final OutboxWriter<Handle> writer = new JdbiOutboxWriter();
    private final Guard guard = Guard.forConsumer("loyalty.award-points");

    CrashingSystem(CrashPoint point, String jdbcUrl, URI redis, String prefix) {
        this.point = point;
        this.jdbi = Jdbi.create(Postgres.dataSource(jdbcUrl));
        this.jdbi.setSqlLogger(new BeforeMark());
        this.queues = RedisQueues.connect(redis, prefix);
        this.routes = Routes.builder()
                .route("order.placed", Route.to(queue(), JOB).payload(CrashingSystem::mapped))
                .build()
                .redrivable();
    }

    /** Arguments: crash point, JDBC URL, Redis URI, prefix. */
    public static void main(String[] args) throws InterruptedException {
        CrashPoint point = CrashPoint.valueOf(args[0]);
        CrashingSystem system = new CrashingSystem(point, args[1], URI.create(args[2]), args[3]);
        if (point.name().startsWith("REDRIVE")) {
            system.redriver().start().redrive(RedriveOrder.of(LetterFilter.OPEN, "ann", "mended"));
        } else {
            system.place(orderFor(point.name()));
            system.relay();
            system.worker();
        }
        new CountDownLatch(1).await();
    }

    private static String orderFor(String point) {
        return point.startsWith("DEATH") ? POISON : point.startsWith("REFUSED") ? REFUSED : "order";
    }

    /** An event that the relay can bring to no queue. */
    private static Object mapped(Event event) {
        if (event.payload().contains(REFUSED)) {
            throw new IllegalStateException("no job can be made of it");
        }
        return Map.of("order", event.aggregateId());
    }

    RedisJobQueue queue() {
        return queues.queue(QUEUE);
    }

    void place(String order) {
        jdbi.useTransaction(tx -> {
            tx.execute("INSERT INTO orders VALUES (?)", order);
            writer.write(tx, Event.of("order.placed", order, "{\"order\":\"" + order + "\"}"));
            point.reached(CrashPoint.WRITER_BEFORE_COMMIT);
        });
        point.reached(CrashPoint.WRITER_AFTER_COMMIT);
    }

    Relay relay() {
        return Relay.builder(new JdbiOutboxStore(jdbi), routes)
                .retry(RetryPolicy.DEFAULT.withAttempts(1))
                .deadLetters(new Store(CrashPoint.REFUSED_BEFORE_STORE, CrashPoint.REFUSED_AFTER_STORE))
                .start();
    }

    RedisWorker worker() {
        return RedisWorker.builder(queue())
                .lease(Duration.ofSeconds(1))
                .deadLetters(new Store(CrashPoint.DEATH_BEFORE_STORE, CrashPoint.DEATH_AFTER_STORE))
                .handle(JOB, this::award)
                .start();
    }

    JdbiRedriver redriver() {
        OutboxWriter<Handle> halting = (tx, events) -> {
            var answers = writer.write(tx, events);
            point.reached(CrashPoint.REDRIVE_BEFORE_COMMIT);
            tx.afterCommit(() -> point.reached(CrashPoint.REDRIVE_AFTER_COMMIT));
            return answers;
        };
        return new JdbiRedriver(jdbi, halting, routes.topics());
    }

    @Override
    public void close() {
        queues.close();
    }

    private void award(Job job) {
        if (job.payload().contains(POISON)) {
            throw new PermanentException("poison");
        }
        point.reached(CrashPoint.WORKER_BEFORE_EFFECT);
        jdbi.useTransaction(tx -> guard.once(tx, job.messageId(), () -> {
            tx.execute("UPDATE accounts SET points = points + 1");
            point.reached(CrashPoint.WORKER_IN_EFFECT);
        }));
        point.reached(CrashPoint.WORKER_AFTER_EFFECT);
    }

    /** The batch is in Redis, and PostgreSQL does not know it yet. */
    private final class BeforeMark implements SqlLogger {
        @Override
        public void logBeforeExecution(StatementContext context) {
            if (context.getRawSql().contains("SET published_at = now()")) {
                point.reached(CrashPoint.RELAY_BEFORE_MARK);
            }
        }
    }

    private final class Store implements DeadLetterStore {
        private final DeadLetterStore store = new JdbiDeadLetterStore(jdbi);
        private final CrashPoint before;
        private final CrashPoint after;

        private Store(CrashPoint before, CrashPoint after) {
            this.before = before;
            this.after = after;
        }

        @Override
        public void bury(List<DeadLetter> letters) {
            point.reached(before);
            store.bury(letters);
            point.reached(after);
        }

        @Override
        public List<DeadLetter> open(int limit) {
            return store.open(limit);
        }
    }
}
