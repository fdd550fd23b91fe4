package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class OutageIT {
    @Test
    void a_worker_outlives_its_redis_and_resumes_within_seconds() {
        Set<String> done = ConcurrentHashMap.newKeySet();
        try (RedisProcess server = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always");
                RedisQueues queues = RedisQueues.connect(server.uri(), "p");
                RedisWorker worker = RedisWorker.builder(queues.queue("q"))
                        .handle("work", job -> done.add(job.id()))
                        .start()) {
            RedisJobQueue queue = queues.queue("q");
            queue.enqueue(NewJob.of("work", "{}").withId("before"));
            await().until(() -> done.contains("before"));

            server.kill();
            server.restart();
            await().ignoreExceptions()
                    .until(() -> queue.enqueue(NewJob.of("work", "{}").withId("after")) != null);
            await().atMost(Duration.ofSeconds(8)).until(() -> done.contains("after"));
            assertThat(worker).isNotNull();
        }
    }
}
