package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.ThrottledException;
import dev.baton.job.JobState;
import dev.baton.job.NewJob;
import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A quota is met in one partition while the server of another one hangs: to tell it takes as long as a time-out, 2 s. */
class SiblingsIT extends WorkerFixture {
    private static final Duration LEASE = Duration.ofSeconds(1);

    private final RedisProcess hanging = RedisProcess.start();
    private final RedisQueues others = RedisQueues.connect(hanging.uri(), "others");
    private final CountDownLatch met = new CountDownLatch(1);

    @BeforeEach
    void hang() {
        hanging.pause();
        queue.enqueue(NewJob.of("work", "{}").withId("job"));
    }

    @AfterEach
    void closeOthers() {
        others.close();
        hanging.close();
    }

    @Test
    void the_throttled_job_keeps_its_lease_for_as_long_as_the_others_are_told() {
        try (RedisWorker worker = start()) {
            await().until(() -> queue.counts().totals().throttled() == 1);
            assertThat(queue.counts().totals().reclaimed()).isZero();
            assertThat(queue.admin().find("job").orElseThrow().starts()).isOne();
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void a_stop_waits_for_it() throws InterruptedException {
        try (RedisWorker worker = start()) {
            met.await();
            assertThat(worker.stop(Duration.ofSeconds(20)).handedBack()).isEmpty();
            assertThat(queue.admin().find("job").orElseThrow().state()).isEqualTo(JobState.READY);
            assertThat(queue.counts().totals().throttled()).isOne();
        }
    }

    @Test
    void when_several_hang_the_rest_is_left_to_meet_the_quota_itself() {
        List<RedisJobQueue> queues = List.of(others.queue("q"), others.queue("r"), others.queue("s"), queue);
        new Siblings(queues).throttle(Duration.ofMinutes(1));
        Exchange worker = new Exchange(queue, LEASE);
        assertThat(worker.send(worker.request(List.of(), 1)).taken()).hasSize(1);
    }

    private RedisWorker start() {
        return new RedisWorkerBuilder(queue, new Siblings(List.of(others.queue("q"))))
                .handle("work", job -> {
                    met.countDown();
                    throw new ThrottledException(Duration.ofMinutes(1), "quota");
                })
                .lease(LEASE)
                .start();
    }
}
