package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LostReplyIT {
    private static final int JOBS = 10_000;
    private static final Duration LEASE = Duration.ofSeconds(60);

    @Test
    void lost_replies_cost_no_lease_leave_no_job_behind_and_repeat_no_job() throws Exception {
        String prefix = Redis.freshPrefix();
        Map<String, Integer> handled = new ConcurrentHashMap<>();
        try (LossyProxy proxy = new LossyProxy(Redis.get().uri(), 3);
                RedisQueues direct = RedisQueues.connect(Redis.get().uri(), prefix);
                RedisQueues lossy = RedisQueues.connect(proxy.uri(), prefix);
                RedisWorker worker = RedisWorker.builder(lossy.queue("q"))
                        .handle("work", job -> handled.merge(job.id(), 1, Integer::sum))
                        .lease(LEASE)
                        .start()) {
            RedisJobQueue queue = direct.queue("q");
            queue.enqueue(jobs());

            // Sooner than any lease ends: a job left behind would come back only then.
            await().atMost(LEASE.dividedBy(2))
                    .until(() -> queue.counts().totals().completed() == JOBS);
            assertThat(proxy.lost).hasValueGreaterThan(10);
            assertThat(queue.counts().totals().lost()).isZero();
            assertThat(queue.counts().totals().reclaimed()).isZero();
            assertThat(worker).isNotNull();
        }
        assertThat(handled)
                .hasSize(JOBS)
                .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
    }

    private static List<NewJob> jobs() {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            jobs.add(NewJob.of("work", "{}").withId("job-" + i));
        }
        return jobs;
    }
}
