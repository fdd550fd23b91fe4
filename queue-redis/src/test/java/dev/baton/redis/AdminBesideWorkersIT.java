package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdminBesideWorkersIT extends WorkerFixture {
    private static final int JOBS = 3_000;
    private static final int FREE = 300;

    private final ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
    private final Semaphore mayRun = new Semaphore(FREE);

    @Test
    void draining_starts_no_job_that_was_removed_and_none_twice() {
        enqueueAll();
        try (RedisWorker worker = startWorker()) {
            await().until(() -> handled.size() == FREE);
            long removed = queue.admin().drain();
            mayRun.release(JOBS);
            await().until(() -> queue.counts().pending() == 0);
            assertThat(handled).doesNotHaveDuplicates().hasSize(JOBS - (int) removed);
            assertThat(removed).isPositive();
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void an_obliterated_queue_is_empty_and_can_be_used_again() {
        enqueueAll();
        try (RedisWorker worker = startWorker()) {
            await().until(() -> handled.size() == FREE);
            queue.admin().obliterate();
            assertThat(queue.counts().pending()).isZero();
            mayRun.release(JOBS);
            queue.enqueue(NewJob.of("work", "{}").withId("after"));
            // A worker looks every 5 s by itself; this one was told.
            await().atMost(Duration.ofSeconds(3)).until(() -> handled.contains("after"));
            assertThat(handled).doesNotHaveDuplicates().hasSizeLessThan(JOBS);
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void a_worker_that_sleeps_is_called_to_the_first_job_after_its_queue_was_obliterated() {
        try (RedisWorker worker = startWorker()) {
            for (int i = 0; i < 20; i++) {
                String id = "job-" + i;
                queue.admin().obliterate();
                queue.enqueue(NewJob.of("work", "{}").withId(id));
                await().atMost(Duration.ofSeconds(3)).until(() -> handled.contains(id));
            }
            assertThat(worker).isNotNull();
        }
    }

    private void enqueueAll() {
        queue.enqueue(IntStream.range(0, JOBS)
                .mapToObj(i -> NewJob.of("work", "{}").withId("job-" + i))
                .toList());
    }

    private RedisWorker startWorker() {
        return worker(job -> {
                    mayRun.acquire();
                    handled.add(job.id());
                })
                .start();
    }
}
