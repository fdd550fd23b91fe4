package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.failure.DeathReason;
import dev.baton.failure.PermanentException;
import dev.baton.failure.RetryLaterException;
import dev.baton.failure.ThrottledException;
import dev.baton.job.Job;
import dev.baton.job.JobHandler;
import dev.baton.job.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WorkerFailureIT extends WorkerFixture {
    @Test
    void a_transient_failure_is_tried_again_until_the_budget_is_spent_and_then_becomes_a_dead_letter() {
        List<Integer> attempts = new CopyOnWriteArrayList<>();
        try (RedisWorker worker = worker(job -> {
                    attempts.add(job.attempt());
                    throw new IllegalStateException("no luck");
                })
                .start()) {
            queue.enqueue(NewJob.of("work", "{\"a\":1}").withId("a"));
            await().until(() -> !letters.open(1).isEmpty());
            assertThat(worker).isNotNull();
        }
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(letters.open(10)).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(DeathReason.ATTEMPTS);
            assertThat(letter.errorClass()).isEqualTo(IllegalStateException.class.getName());
            assertThat(letter.error()).isEqualTo("no luck");
            assertThat(letter.stackTrace()).contains("WorkerFailureIT");
            assertThat(letter.payload()).isEqualTo("{\"a\":1}");
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.starts()).isEqualTo(3);
            assertThat(letter.firstFailureAt()).isBeforeOrEqualTo(letter.diedAt());
        });
        await().until(() -> queue.counts().pending() == 0);
    }

    @Test
    void a_permanent_failure_dies_at_once() {
        AtomicInteger starts = new AtomicInteger();
        runUntilDead(job -> {
            starts.incrementAndGet();
            throw new PermanentException("never");
        });
        assertThat(starts).hasValue(1);
        assertThat(letters.open(1).get(0).reason()).isEqualTo(DeathReason.PERMANENT);
    }

    @Test
    void a_job_that_is_postponed_for_ever_dies_of_its_starts_without_having_used_an_attempt() {
        List<Job> starts = new CopyOnWriteArrayList<>();
        runUntilDead(job -> {
            starts.add(job);
            throw new RetryLaterException(Duration.ofMillis(5), "not yet");
        });
        assertThat(starts).extracting(Job::start).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(starts).extracting(Job::attempt).containsOnly(1);
        assertThat(letters.open(1).get(0).reason()).isEqualTo(DeathReason.STARTS);
    }

    @Test
    void a_jobs_own_policy_goes_before_its_names_and_that_before_the_workers() {
        Map<String, Integer> attempts = new ConcurrentHashMap<>();
        JobHandler failing = job -> {
            attempts.merge(job.id(), 1, Integer::sum);
            throw new IllegalStateException("no luck");
        };
        try (RedisWorker worker =
                worker(failing).handle("named", QUICK.withAttempts(2), failing).start()) {
            queue.enqueue(NewJob.of("work", "{}").withId("workers"));
            queue.enqueue(NewJob.of("named", "{}").withId("names"));
            queue.enqueue(NewJob.of("named", "{}").withId("own").retry(QUICK.withAttempts(1)));
            await().until(() -> letters.open(10).size() == 3);
            assertThat(worker).isNotNull();
        }
        assertThat(attempts).containsOnly(Map.entry("workers", 3), Map.entry("names", 2), Map.entry("own", 1));
    }

    @Test
    void a_job_whose_worker_is_gone_starts_again_within_a_second_of_the_end_of_its_lease() {
        Duration lease = Duration.ofSeconds(1);
        queue.enqueue(NewJob.of("work", "{}"));
        Exchange gone = new Exchange(queue, lease);
        long leaseEnd = gone.send(gone.request(List.of(), 1)).now() + lease.toMillis();
        AtomicLong started = new AtomicLong();
        try (RedisWorker worker = worker(job -> started.set(serverTime())).start()) {
            await().until(() -> started.get() > 0);
            assertThat(worker).isNotNull();
        }
        assertThat(started.get() - leaseEnd).as("ms after the end of the lease").isBetween(0L, 1_000L);
    }

    private long serverTime() {
        Object micros = queues.redis()
                .eval(
                        "local t = redis.call('TIME'); return t[1] * 1000 + math.floor(t[2] / 1000)",
                        1,
                        queue.keys().tag());
        return Long.parseLong(micros.toString());
    }

    @Test
    void a_job_that_takes_its_worker_down_every_time_dies_of_its_starts_and_is_not_started_again() {
        queue.enqueue(NewJob.of("work", "{}").withId("killer"));
        Exchange dying = new Exchange(queue, Duration.ofMillis(1));
        List<Exchange.Taken> starts = new ArrayList<>();
        await().until(() -> {
            starts.addAll(dying.send(dying.request(List.of(), 1)).taken());
            return starts.size() == 3;
        });
        List<Job> started = new CopyOnWriteArrayList<>();
        try (RedisWorker worker =
                worker(started::add).retry(QUICK.withMaxStarts(3)).start()) {
            await().until(() -> !letters.open(1).isEmpty());
            assertThat(worker).isNotNull();
        }
        assertThat(started).isEmpty();
        assertThat(letters.open(1)).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(DeathReason.STARTS);
            assertThat(letter.starts()).isEqualTo(3);
            assertThat(letter.errorClass()).isNull();
            assertThat(letter.error()).contains("3 starts");
        });
    }

    @Test
    void a_failure_of_monstrous_size_is_kept_within_its_caps_and_the_others_go_on() {
        Set<String> done = ConcurrentHashMap.newKeySet();
        try (RedisWorker worker = worker(job -> {
                    if (job.id().equals("monster")) {
                        Exception chain = new Exception("root");
                        for (int i = 0; i < 10_000; i++) {
                            chain = new Exception("level " + i, chain);
                        }
                        throw new PermanentException("x".repeat(25_000_000), chain);
                    }
                    done.add(job.id());
                })
                .start()) {
            queue.enqueue(NewJob.of("work", "{}").withId("monster"));
            queue.enqueue(NewJob.of("work", "{}").withId("other"));
            await().until(() -> !letters.open(1).isEmpty() && done.contains("other"));
            assertThat(worker).isNotNull();
        }
        DeadLetter letter = letters.open(1).get(0);
        assertThat(letter.error()).hasSize(8 * 1024);
        assertThat(letter.stackTrace()).hasSizeLessThanOrEqualTo(16 * 1024);
    }

    @Test
    void an_error_in_one_handler_is_a_failure_like_any_other() {
        runUntilDead(job -> {
            throw new NoClassDefFoundError("some/Missing");
        });
        assertThat(letters.open(1).get(0).errorClass()).isEqualTo(NoClassDefFoundError.class.getName());
    }

    @Test
    void a_throttled_job_holds_its_siblings_and_uses_up_no_attempt() {
        List<Long> starts = new CopyOnWriteArrayList<>();
        List<Job> jobs = new CopyOnWriteArrayList<>();
        AtomicBoolean throttled = new AtomicBoolean();
        try (RedisWorker worker = worker(job -> {
                    starts.add(System.nanoTime());
                    jobs.add(job);
                    if (throttled.compareAndSet(false, true)) {
                        throw new ThrottledException(Duration.ofMillis(700), "quota");
                    }
                })
                .concurrency(1)
                .start()) {
            queue.enqueue(List.of(NewJob.of("work", "{}"), NewJob.of("work", "{}"), NewJob.of("work", "{}")));
            await().until(() -> queue.counts().totals().completed() == 3);
            assertThat(worker).isNotNull();
        }
        assertThat(Duration.ofNanos(starts.get(1) - starts.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(690));
        assertThat(jobs).extracting(Job::attempt).containsOnly(1);
        assertThat(jobs.get(1).id()).isEqualTo(jobs.get(0).id());
    }

    private void runUntilDead(JobHandler handler) {
        try (RedisWorker worker = worker(handler).start()) {
            queue.enqueue(NewJob.of("work", "{}"));
            await().until(() -> !letters.open(1).isEmpty());
            assertThat(worker).isNotNull();
        }
    }
}
