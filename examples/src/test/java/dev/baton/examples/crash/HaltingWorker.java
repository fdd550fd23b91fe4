package dev.baton.examples.crash;

import dev.baton.idempotency.Guard;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.redis.RedisWorkerBuilder;
import dev.baton.servers.Postgres;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jdbi.v3.core.Jdbi;

/** A worker whose JVM dies after the effect was committed and before the job is settled. */
final class HaltingWorker {
    static final int HALTED = 77;
    static final String QUEUE = "loyalty";
    static final String JOB = "award-points";

    private HaltingWorker() {}

    /** Arguments: JDBC URL, Redis URI, prefix. */
    public static void main(String[] args) throws InterruptedException {
        Jdbi jdbi = Jdbi.create(Postgres.dataSource(args[0]));
        RedisQueues queues = RedisQueues.connect(URI.create(args[1]), args[2]);
        worker(queues, jdbi, () -> Runtime.getRuntime().halt(HALTED)).start();
        new CountDownLatch(1).await();
    }

    /** A worker that awards one point per message, and then does what it is told. */
    static RedisWorkerBuilder worker(RedisQueues queues, Jdbi jdbi, Runnable afterEffect) {
        Guard guard = Guard.forConsumer("loyalty.award-points");
        return RedisWorker.builder(queues.queue(QUEUE))
                .lease(Duration.ofSeconds(1))
                .handle(JOB, job -> {
                    jdbi.useTransaction(tx ->
                            guard.once(tx, job.id(), () -> tx.execute("UPDATE accounts SET points = points + 1")));
                    afterEffect.run();
                });
    }
}
