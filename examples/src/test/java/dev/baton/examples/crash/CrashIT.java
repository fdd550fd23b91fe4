package dev.baton.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.idempotency.GuardSchema;
import dev.baton.job.NewJob;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import java.io.IOException;
import java.nio.file.Path;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CrashIT {
    private final String url = Postgres.freshSchema();
    private final String prefix = Redis.freshPrefix();
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(url));

    @Test
    void a_worker_that_dies_between_the_effect_and_the_settlement_repeats_no_guarded_effect() throws Exception {
        GuardSchema.migrate(jdbi);
        jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE accounts (points int NOT NULL)");
            handle.execute("INSERT INTO accounts VALUES (0)");
        });
        try (RedisQueues queues = RedisQueues.connect(Redis.get().uri(), prefix)) {
            RedisJobQueue queue = queues.queue(HaltingWorker.QUEUE);
            queue.enqueue(NewJob.of(HaltingWorker.JOB, "{}"));

            assertThat(runUntilHalted()).isEqualTo(HaltingWorker.HALTED);
            assertThat(points()).isEqualTo(1);
            assertThat(queue.counts().leased()).isEqualTo(1);

            try (RedisWorker next = HaltingWorker.worker(queues, jdbi, () -> {}).start()) {
                await().until(() -> queue.counts().totals().completed() == 1);
                assertThat(next).isNotNull();
            }
            assertThat(queue.counts().totals().reclaimed()).isEqualTo(1);
            assertThat(points()).isEqualTo(1);
        }
    }

    private int runUntilHalted() throws IOException, InterruptedException {
        ProcessBuilder child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HaltingWorker.class.getName(),
                        url,
                        Redis.get().uri().toString(),
                        prefix)
                .inheritIO();
        child.environment().put("DATABASE_URL", Postgres.get().databaseUrl());
        child.environment().put("REDIS_URL", Redis.get().uri().toString());
        return child.start().waitFor();
    }

    private int points() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT points FROM accounts")
                .mapTo(Integer.class)
                .one());
    }
}
