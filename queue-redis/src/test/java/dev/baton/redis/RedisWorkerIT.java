package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import dev.baton.failure.Backoff;
import dev.baton.failure.DeathReason;
import dev.baton.failure.PermanentException;
import dev.baton.failure.RetryLaterException;
import dev.baton.failure.RetryPolicy;
import dev.baton.failure.ThrottledException;
import dev.baton.job.Job;
import dev.baton.job.JobHandler;
import dev.baton.job.NewJob;
import dev.baton.job.WorkerListener;
import dev.baton.servers.Redis;
import dev.baton.trace.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

@Timeout(60)
class RedisWorkerIT {
    private static final RetryPolicy QUICK =
            new RetryPolicy(3, 6, Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(20)));

    private final RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
    private final RedisJobQueue queue = queues.queue("payments");
    private final Letters letters = new Letters();
    private final AtomicInteger interrupts = new AtomicInteger();

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void a_thousand_jobs_are_each_handled_once() {
        Map<String, Integer> handled = new ConcurrentHashMap<>();
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            jobs.add(NewJob.of("work", "{}").withId("job-" + i));
        }
        try (RedisWorker one =
                        worker(job -> handled.merge(job.id(), 1, Integer::sum)).start();
                RedisWorker two =
                        worker(job -> handled.merge(job.id(), 1, Integer::sum)).start()) {
            queue.enqueue(jobs);
            await().until(() -> queue.counts().totals().completed() == 1_000);
            assertThat(one).isNotSameAs(two);
        }
        assertThat(handled)
                .hasSize(1_000)
                .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
        assertThat(queue.counts().pending()).isZero();
    }

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
            assertThat(letter.stackTrace()).contains("RedisWorkerIT");
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

    @Test
    void a_job_name_nobody_knows_waits_unharmed_for_a_worker_that_does() {
        queue.enqueue(NewJob.of("new-work", "{}"));
        List<Job> ran = new CopyOnWriteArrayList<>();
        try (RedisWorker old = worker(job -> {}).start()) {
            await().until(() -> queue.counts().totals().unknown() == 1);
            assertThat(old).isNotNull();
        }
        try (RedisWorker worker = worker(job -> {}).handle("new-work", ran::add).start()) {
            await().until(() -> ran.size() == 1);
            assertThat(worker).isNotNull();
        }
        assertThat(ran.get(0).start()).isEqualTo(1);
    }

    @Test
    void a_delayed_job_starts_at_its_time_though_nothing_else_happens() {
        AtomicBoolean ran = new AtomicBoolean();
        try (RedisWorker worker = worker(job -> ran.set(true)).start()) {
            long began = System.nanoTime();
            queue.enqueue(NewJob.of("work", "{}").after(Duration.ofMillis(300)));
            await().untilTrue(ran);
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(Duration.ofMillis(295), Duration.ofSeconds(3));
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void the_correlation_id_of_the_request_is_on_the_handlers_thread() {
        Map<String, String> seen = new ConcurrentHashMap<>();
        try (RedisWorker worker =
                worker(job -> seen.put(job.id(), MDC.get(Trace.CORRELATION_ID))).start()) {
            queue.enqueue(NewJob.of("work", "{}").withId("a").withHeaders(Map.of(Trace.CORRELATION_ID, "request-1")));
            queue.enqueue(NewJob.of("work", "{}").withId("b"));
            await().until(() -> seen.size() == 2);
            assertThat(worker).isNotNull();
        }
        assertThat(seen).containsEntry("a", "request-1").containsEntry("b", "job-payments-b");
    }

    @Test
    void a_lease_is_renewed_while_every_handler_is_busy() throws Exception {
        CountDownLatch renewedTwice = new CountDownLatch(1);
        AtomicInteger starts = new AtomicInteger();
        try (RedisWorker busy = worker(job -> {
                    starts.incrementAndGet();
                    renewedTwice.await();
                })
                .concurrency(1)
                .lease(Duration.ofSeconds(1))
                .start()) {
            queue.enqueue(NewJob.of("work", "{}").withId("a"));
            await().until(() -> starts.get() == 1);
            double first = deadline();
            await().until(() -> deadline() > first + 1_500);
            renewedTwice.countDown();
            await().until(() -> queue.counts().totals().completed() == 1);
            assertThat(busy).isNotNull();
        }
        assertThat(starts).hasValue(1);
        assertThat(queue.counts().totals().reclaimed()).isZero();
    }

    @Test
    void close_lets_running_jobs_finish_and_begins_no_other() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        RedisWorker worker = worker(job -> {
                    started.countDown();
                    finish.await();
                })
                .concurrency(1)
                .start();
        queue.enqueue(List.of(NewJob.of("work", "{}"), NewJob.of("work", "{}")));
        started.await();
        Thread closer = new Thread(worker::close);
        closer.start();
        await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        finish.countDown();
        closer.join();
        assertThat(queue.counts().totals().completed()).isEqualTo(1);
        assertThat(queue.counts().ready()).isEqualTo(1);
        assertThat(queue.counts().leased()).isZero();
    }

    @Test
    void close_interrupts_what_does_not_finish_in_time_and_hands_it_back_unharmed() throws Exception {
        CountDownLatch started = new CountDownLatch(2);
        RedisWorker worker = worker(job -> {
                    started.countDown();
                    if (job.id().equals("stubborn")) {
                        ignoreInterrupts();
                    }
                    new CountDownLatch(1).await();
                })
                .grace(Duration.ofMillis(50))
                .start();
        queue.enqueue(List.of(
                NewJob.of("work", "{}").withId("polite"),
                NewJob.of("work", "{}").withId("stubborn")));
        started.await();
        worker.close();

        assertThat(queue.counts().ready()).isEqualTo(2);
        assertThat(queue.counts().leased()).isZero();
        assertThat(queue.counts().totals().released()).isEqualTo(2);
        assertThat(interrupts).hasPositiveValue();
        List<Job> again = new CopyOnWriteArrayList<>();
        try (RedisWorker next = worker(again::add).start()) {
            await().until(() -> again.size() == 2);
            assertThat(next).isNotNull();
        }
        assertThat(again).extracting(Job::start).containsOnly(1);
    }

    @Test
    void a_store_that_is_down_loses_no_dead_letter_and_one_that_refuses_a_letter_gets_the_others() {
        letters.down.set(true);
        letters.refused.add("refused");
        try (RedisWorker worker = worker(job -> {
                    throw new PermanentException("never");
                })
                .start()) {
            for (String id : List.of("a", "refused", "b")) {
                queue.enqueue(NewJob.of("work", "{}").withId(id));
            }
            await().until(() -> queue.counts().dead() == 3 && letters.tried.get() > 0);
            letters.down.set(false);
            await().until(() -> letters.open(10).size() == 2);
            await().until(() -> queue.counts().dead() == 1);
            letters.refused.clear();
            await().until(() -> queue.counts().dead() == 0);
            assertThat(worker).isNotNull();
        }
        assertThat(letters.open(10)).extracting(DeadLetter::jobId).containsExactlyInAnyOrder("a", "refused", "b");
    }

    @Test
    void a_record_that_cannot_be_read_becomes_a_dead_letter_and_stops_nobody() {
        queue.enqueue(NewJob.of("work", "{}").withId("broken"));
        queues.redis().set(queue.keys().job("broken"), "0 0 0 0 0\t\t\n\nwork\tnot json\npayload");
        AtomicBoolean ran = new AtomicBoolean();
        queue.enqueue(NewJob.of("work", "{}").withId("whole"));
        try (RedisWorker worker = worker(job -> ran.set(true)).start()) {
            await().until(() -> ran.get() && !letters.open(1).isEmpty());
            assertThat(worker).isNotNull();
        }
        assertThat(letters.open(1).get(0).payload()).contains("payload");
    }

    @Test
    void a_listener_hears_each_end_and_one_that_throws_harms_nothing() {
        List<String> heard = new CopyOnWriteArrayList<>();
        WorkerListener throwing = new WorkerListener() {
            @Override
            public void started(Job job) {
                throw new IllegalStateException("listener");
            }
        };
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
                        "postponed postponed",
                        "throttled throttled",
                        "retried retried",
                        "died died PERMANENT",
                        "completed plain",
                        "completed retried",
                        "released unheard-of")
                .filteredOn(word -> word.startsWith("started"))
                .hasSize(8);
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

    @Test
    void handlers_run_on_the_callers_executor_which_is_not_shut_down() {
        ExecutorService mine = Executors.newFixedThreadPool(2, task -> new Thread(task, "mine"));
        try {
            Set<String> threads = ConcurrentHashMap.newKeySet();
            try (RedisWorker worker = worker(
                            job -> threads.add(Thread.currentThread().getName()))
                    .executor(mine)
                    .start()) {
                queue.enqueue(List.of(NewJob.of("work", "{}"), NewJob.of("work", "{}")));
                await().until(() -> queue.counts().totals().completed() == 2);
                assertThat(worker).isNotNull();
            }
            assertThat(threads).containsExactly("mine");
            assertThat(mine.isShutdown()).isFalse();
        } finally {
            mine.shutdownNow();
        }
    }

    @Test
    void virtual_threads_are_used_where_java_has_them_and_refused_with_the_reason_where_not() {
        RedisWorkerBuilder builder = worker(job -> {});
        if (Runtime.version().feature() < 21) {
            assertThatThrownBy(builder::virtualThreads)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("virtual threads need Java 21 or newer");
        } else {
            queue.enqueue(NewJob.of("work", "{}"));
            try (RedisWorker worker = builder.virtualThreads().start()) {
                await().until(() -> queue.counts().totals().completed() == 1);
                assertThat(worker).isNotNull();
            }
        }
    }

    @Test
    void a_stop_reports_what_finished_and_what_was_handed_back() throws Exception {
        CountDownLatch started = new CountDownLatch(2);
        CountDownLatch finish = new CountDownLatch(1);
        RedisWorker worker = worker(job -> {
                    started.countDown();
                    (job.id().equals("quick") ? finish : new CountDownLatch(1)).await();
                })
                .start();
        queue.enqueue(List.of(
                NewJob.of("work", "{}").withId("quick"), NewJob.of("work", "{}").withId("slow")));
        started.await();
        finish.countDown();
        await().until(() -> queue.counts().totals().completed() == 1);
        assertThat(worker.stop(Duration.ZERO))
                .satisfies(report ->
                        assertThat(report.handedBack()).extracting(Job::id).containsExactly("slow"));
        assertThat(worker.stop(Duration.ZERO)).isEqualTo(new StopReport(0, List.of()));
        assertThat(queue.counts().ready()).isEqualTo(1);
    }

    @Test
    void a_bad_setting_is_refused_with_its_bound() {
        assertThatThrownBy(() -> worker(job -> {}).concurrency(0)).hasMessageContaining("between 1 and 150");
        assertThatThrownBy(() -> worker(job -> {}).lease(Duration.ofMillis(999)))
                .hasMessageContaining("at least PT1S");
        assertThatThrownBy(() -> worker(job -> {}).grace(Duration.ofMillis(-1))).hasMessageContaining("negative");
        assertThatThrownBy(() -> worker(job -> {}).handle("work", job -> {})).hasMessageContaining("two handlers");
        assertThatThrownBy(() -> RedisWorker.builder(queue).start()).hasMessageContaining("has no handler");
    }

    private RedisWorkerBuilder worker(JobHandler handler) {
        return RedisWorker.builder(queue).handle("work", handler).retry(QUICK).deadLetters(letters);
    }

    private void runUntilDead(JobHandler handler) {
        try (RedisWorker worker = worker(handler).start()) {
            queue.enqueue(NewJob.of("work", "{}"));
            await().until(() -> !letters.open(1).isEmpty());
            assertThat(worker).isNotNull();
        }
    }

    private double deadline() {
        return queues.redis().zrangeWithScores(queue.keys().leased(), 0, 0).stream()
                .mapToDouble(lease -> lease.getScore())
                .findFirst()
                .orElse(0);
    }

    private void ignoreInterrupts() {
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
            }
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
        public void postponed(Job job, Duration delay) {
            heard.add("postponed " + job.id());
        }

        @Override
        public void throttled(Job job, Duration delay) {
            heard.add("throttled " + job.id());
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

    /** A store in memory that can be down, or refuse a letter. */
    private static final class Letters implements DeadLetterStore {
        private final Map<String, DeadLetter> kept = new ConcurrentHashMap<>();
        private final Set<String> refused = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean down = new AtomicBoolean();
        private final AtomicInteger tried = new AtomicInteger();

        @Override
        public void bury(List<DeadLetter> letters) {
            tried.incrementAndGet();
            if (down.get() || letters.stream().anyMatch(letter -> refused.contains(letter.jobId()))) {
                throw new IllegalStateException("the store refuses");
            }
            letters.forEach(letter -> kept.put(letter.jobId(), letter));
        }

        @Override
        public List<DeadLetter> open(int limit) {
            return kept.values().stream().limit(limit).toList();
        }
    }
}
