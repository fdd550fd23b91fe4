package dev.baton.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.JobHandler;
import dev.baton.job.NewJob;
import dev.baton.redis.PartitionedQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisServers;
import dev.baton.redis.RedisWorkers;
import dev.baton.servers.Redis;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The code of the guides to partitions and connections; {@link GuidesIT} holds the guides to it. */
class QueueGuidesIT {
    @Test
    void partitions_take_a_job_and_run_it() {
        String orderId = "order-7";
        String order = "{}";
        Set<String> issued = ConcurrentHashMap.newKeySet();
        JobHandler issue = job -> issued.add(job.id());
        try (RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix())) {
            PartitionedQueue issuance = queues.partitioned("issuance", 3);
            issuance.enqueue(NewJob.of("issue", order).withId(orderId).orderedBy(orderId));

            RedisWorkers workers =
                    issuance.startWorkers(settings -> settings.concurrency(10).handle("issue", issue));
            await().until(() -> issued.contains(orderId));
            workers.close();
        }
    }

    @Test
    void connections_are_named_before_any_server_answers() {
        URI a = URI.create("redis://127.0.0.1:1");
        URI b = URI.create("redis://127.0.0.1:2");
        URI c = URI.create("redis://127.0.0.1:3");
        RedisQueues one = RedisQueues.connect(URI.create("redis://localhost:6379"), "shop");
        RedisQueues behindSentinels = RedisQueues.connect(RedisServers.sentinel("mymaster", Set.of(a, b, c)), "shop");
        RedisQueues cluster = RedisQueues.connect(RedisServers.cluster(Set.of(a, b)), "shop");
        for (RedisQueues queues : Set.of(one, behindSentinels, cluster)) {
            assertThat(queues.toString()).endsWith(" under shop");
            queues.close();
        }
    }
}
