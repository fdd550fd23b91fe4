package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.DeathReason;
import dev.baton.failure.PermanentException;
import dev.baton.failure.RetryLaterException;
import dev.baton.failure.ThrottledException;
import dev.baton.job.Job;
import dev.baton.job.NewJob;
import dev.baton.job.WorkerListener;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkerListenerIT extends WorkerFixture {
    @Test
    void a_listener_hears_each_end_and_one_that_throws_harms_nothing() {
        List<String> heard = new CopyOnWriteArrayList<>();
        WorkerListener throwing = (WorkerListener) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {WorkerListener.class}, (listener, method, arguments) -> {
                    throw new IllegalStateException("listener");
                });
        try (RedisWorker worker = worker(job -> {
                    switch (job.id() + job.start()) {
                        case "postponed1" -> throw new RetryLaterException(Duration.ZERO, "not yet");
                        case "throttled1" -> throw new ThrottledException(Duration.ofMillis(1), "quota");
                        case "retried1" -> throw new IllegalStateException("no luck");
                        case "died1" -> throw new PermanentException("never");
                        default -> {}
                    }
                })
                .listener(throwing)
                .listener(new HearAll(heard))
                .start()) {
            for (String id : List.of("postponed", "throttled", "retried", "died", "plain", "unheard-of")) {
                String name = id.equals("unheard-of") ? id : "work";
                queue.enqueue(NewJob.of(name, "{}").withId(id));
            }
            await().until(() -> queue.counts().totals().completed() == 4
                    && queue.counts().totals().buried() == 1
                    && heard.contains("released unheard-of"));
            await().until(() -> heard.size() >= 17);
            assertThat(worker).isNotNull();
        }
        assertThat(heard)
                .contains(
                        "postponed postponed: not yet",
                        "throttled throttled: quota",
                        "retried retried",
                        "died died PERMANENT",
                        "completed plain",
                        "completed retried",
                        "released unheard-of")
                .filteredOn(word -> word.startsWith("started"))
                .hasSize(8);
    }

    @Test
    void a_handler_sees_the_end_of_its_lease_move_on_with_each_renewal() {
        Duration lease = Duration.ofSeconds(1);
        List<Instant> ends = new CopyOnWriteArrayList<>();
        try (RedisWorker worker = RedisWorker.builder(queue)
                .handleWithContext("work", (job, context) -> {
                    ends.add(context.leaseEnd());
                    await().until(() -> context.leaseEnd().isAfter(ends.get(0).plus(lease)));
                    ends.add(context.leaseEnd());
                })
                .lease(lease)
                .start()) {
            queue.enqueue(NewJob.of("work", "{}"));
            await().until(() -> queue.counts().totals().completed() == 1);
            assertThat(worker).isNotNull();
        }
        assertThat(ends).hasSize(2);
        assertThat(queue.counts().totals().reclaimed()).isZero();
    }

    @Test
    void a_handler_whose_lease_is_lost_is_interrupted_and_told_and_its_result_is_refused() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        CountDownLatch started = new CountDownLatch(1);
        AtomicBoolean told = new AtomicBoolean();
        try (RedisWorker worker = RedisWorker.builder(queue)
                .handleWithContext("work", (job, context) -> {
                    assertThat(context.cancelled()).isFalse();
                    assertThat(context.leaseEnd()).isAfter(job.enqueuedAt());
                    started.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        told.set(context.leaseLost() && !context.stopping());
                    }
                })
                .lease(Duration.ofSeconds(1))
                .listener(new HearAll(heard))
                .start()) {
            queue.enqueue(NewJob.of("work", "{}").withId("a"));
            started.await();
            // As if this worker had been asleep for so long that somebody else reclaimed the job.
            queues.redis().del(queue.keys().leased());
            await().untilTrue(told);
            await().until(() -> queue.counts().totals().lost() >= 2);
            assertThat(worker).isNotNull();
        }
        assertThat(heard).contains("leaseLost a").doesNotContain("completed a");
        assertThat(queue.counts().totals().completed()).isZero();
    }

    @Test
    void a_reclaimed_job_is_told_to_the_listener_of_who_reclaimed_it() {
        queue.enqueue(NewJob.of("work", "{}").withId("a"));
        Exchange dying = new Exchange(queue, Duration.ofMillis(1));
        dying.send(dying.request(List.of(), 1));
        List<String> heard = new CopyOnWriteArrayList<>();
        try (RedisWorker worker = worker(job -> {}).listener(new HearAll(heard)).start()) {
            await().until(() -> heard.containsAll(List.of("reclaimed a", "started a", "completed a")));
            assertThat(worker).isNotNull();
        }
    }

    /** Writes down what it hears. */
    private record HearAll(List<String> heard) implements WorkerListener {
        @Override
        public void started(Job job) {
            heard.add("started " + job.id());
        }

        @Override
        public void completed(Job job, Duration took) {
            heard.add("completed " + job.id());
        }

        @Override
        public void retried(Job job, Duration delay, Throwable failure) {
            heard.add("retried " + job.id());
        }

        @Override
        public void postponed(Job job, Duration delay, Throwable failure) {
            heard.add("postponed " + job.id() + ": " + failure.getMessage());
        }

        @Override
        public void throttled(Job job, Duration delay, Throwable failure) {
            heard.add("throttled " + job.id() + ": " + failure.getMessage());
        }

        @Override
        public void died(Job job, DeathReason reason, @Nullable Throwable failure) {
            heard.add("died " + job.id() + " " + reason);
        }

        @Override
        public void released(Job job) {
            heard.add("released " + job.id());
        }

        @Override
        public void leaseLost(Job job) {
            heard.add("leaseLost " + job.id());
        }

        @Override
        public void reclaimed(String jobId) {
            heard.add("reclaimed " + jobId);
        }
    }
}
