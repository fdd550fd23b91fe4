package dev.baton.redis;

import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.JobHandler;
import dev.baton.servers.Redis;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A queue of its own on the real server, a store in memory, and workers that try quickly. */
@Timeout(60)
abstract class WorkerFixture {
    static final RetryPolicy QUICK =
            new RetryPolicy(3, 6, Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(20)));

    final RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
    final RedisJobQueue queue = queues.queue("payments");
    final Letters letters = new Letters();

    @AfterEach
    void close() {
        queues.close();
    }

    RedisWorkerBuilder worker(JobHandler handler) {
        return RedisWorker.builder(queue).handle("work", handler).retry(QUICK).deadLetters(letters);
    }
}
