package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import dev.baton.failure.PermanentException;
import dev.baton.internal.Loop;
import dev.baton.job.Job;
import dev.baton.job.NewJob;
import dev.baton.servers.Gate;
import dev.baton.servers.Redis;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkerStopIT extends WorkerFixture {
    private final AtomicInteger interrupts = new AtomicInteger();

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
    void close_interrupts_what_does_not_finish_in_time_and_hands_it_back_without_an_attempt() throws Exception {
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
        assertThat(again).extracting(Job::attempt).containsOnly(1);
        assertThat(again)
                .extracting(job -> job.id() + " " + job.start())
                .containsExactlyInAnyOrder("polite 1", "stubborn 2");
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_stop_does_not_wait_for_a_dead_letter_store_that_never_answers() throws Exception {
        CountDownLatch burying = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        DeadLetterStore hangs = new DeadLetterStore() {
            @Override
            public void bury(List<DeadLetter> letters) {
                burying.countDown();
                boolean answered = false;
                while (!answered) {
                    try {
                        answers.await();
                        answered = true;
                    } catch (InterruptedException e) {
                        // Not heeded.
                    }
                }
            }

            @Override
            public List<DeadLetter> open(int limit) {
                return List.of();
            }
        };
        RedisWorker worker = RedisWorker.builder(queue)
                .handle("work", job -> {
                    throw new PermanentException("no");
                })
                .deadLetters(hangs)
                .start();
        queue.enqueue(NewJob.of("work", "{}"));
        burying.await();
        worker.stop(Duration.ofSeconds(1));
        // Before it answers after all, and the letter's job is forgotten.
        assertThat(queue.counts().dead()).isEqualTo(1);
        answers.countDown();
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
        assertThat(worker.stop(Duration.ZERO)).satisfies(report -> {
            assertThat(report.finished()).isZero();
            assertThat(report.handedBack()).extracting(Job::id).containsExactly("slow");
        });
        assertThat(worker.stop(Duration.ZERO)).isEqualTo(new StopReport(0, List.of()));
        assertThat(queue.counts().ready()).isEqualTo(1);
    }

    @Test
    void a_handler_can_ask_whether_the_worker_stops() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        AtomicBoolean before = new AtomicBoolean(true);
        AtomicBoolean after = new AtomicBoolean();
        RedisWorker worker = RedisWorker.builder(queue)
                .handleWithContext("work", (job, context) -> {
                    before.set(context.stopping() || context.cancelled());
                    started.countDown();
                    while (!context.cancelled()) {
                        Thread.onSpinWait();
                    }
                    after.set(context.stopping() && !context.leaseLost());
                })
                .start();
        queue.enqueue(NewJob.of("work", "{}"));
        started.await();
        worker.stop(Duration.ZERO);
        assertThat(before).isFalse();
        assertThat(after).isTrue();
    }

    @Test
    @Timeout(60)
    void of_several_that_stop_a_worker_one_tells_the_last_results() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        try (Gate gate = Gate.to(Redis.get().uri());
                RedisQueues gated =
                        RedisQueues.connect(URI.create("redis://127.0.0.1:" + gate.port()), queues.prefix())) {
            RedisWorker worker = RedisWorker.builder(gated.queue(queue.name()))
                    .handle("work", job -> {
                        started.countDown();
                        new CountDownLatch(1).await();
                    })
                    .start();
            queue.enqueue(NewJob.of("work", "{}"));
            started.await();
            gate.freeze();
            List<Thread> stoppers = IntStream.range(0, 2)
                    .mapToObj(i -> new Thread(() -> worker.stop(Duration.ZERO)))
                    .toList();
            stoppers.forEach(Thread::start);
            await().pollInterval(Duration.ofMillis(10))
                    .until(() -> stoppers.stream().anyMatch(WorkerStopIT::waitsToTell));
            gate.open();
            for (Thread stopper : stoppers) {
                stopper.join();
            }
        }
        assertThat(queue.counts().totals().released()).isEqualTo(1);
        assertThat(queue.counts().ready()).isEqualTo(1);
    }

    private static boolean waitsToTell(Thread stopper) {
        StackTraceElement[] stack = stopper.getStackTrace();
        return stopper.getState() == Thread.State.BLOCKED
                && stack.length > 0
                && stack[0].getMethodName().equals("lastExchanges");
    }

    @Test
    void a_grace_out_of_bounds_is_refused_and_the_worker_goes_on() {
        List<Job> done = new CopyOnWriteArrayList<>();
        try (RedisWorker worker = worker(done::add).start()) {
            for (Duration bad : List.of(Duration.ofNanos(-1), ChronoUnit.FOREVER.getDuration())) {
                assertThatThrownBy(() -> worker.stop(bad))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("grace is " + bad + "; it must be between PT0S and PT8760H");
            }
            queue.enqueue(NewJob.of("work", "{}"));
            await().until(() -> done.size() == 1);
        }
    }

    @Test
    void a_worker_that_stops_calls_another_as_it_may_be_the_only_one_that_knows_what_is_due() {
        RedisWorker worker = worker(job -> {}).start();
        queue.enqueue(NewJob.of("work", "{}").after(Duration.ofHours(1)));
        // It has heard of the job, and the hint is used up.
        await().until(() -> !queues.redis().exists(queue.keys().wake()));
        worker.close();
        assertThat(queues.redis().llen(queue.keys().wake())).isEqualTo(1);
    }

    /** A worker that stops under load has asked for jobs that have not arrived yet. */
    @Test
    void jobs_that_arrive_after_the_stop_began_go_back_unstarted() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        List<String> begun = new CopyOnWriteArrayList<>();
        try (Gate gate = Gate.to(Redis.get().uri());
                RedisQueues far =
                        RedisQueues.connect(URI.create("redis://127.0.0.1:" + gate.port()), queues.prefix())) {
            RedisWorker worker = RedisWorker.builder(far.queue(queue.name()))
                    .handle("work", job -> {
                        begun.add(job.id());
                        started.countDown();
                        finish.await();
                    })
                    .deadLetters(letters)
                    .concurrency(1)
                    .start();
            queue.enqueue(List.of(
                    NewJob.of("work", "{}").withId("first"),
                    NewJob.of("work", "{}").withId("late")));
            started.await();
            gate.freeze();
            finish.countDown();
            await().until(() -> isIn("baton-payments-exchange", Exchange.class));
            Thread stopper = new Thread(() -> worker.stop(Duration.ZERO), "stopper");
            stopper.start();
            await().until(() -> isIn("stopper", Loop.class));
            gate.open();
            stopper.join();
        }
        assertThat(begun).containsExactly("first");
        assertThat(queue.counts().leased()).isZero();
        assertThat(queue.counts().ready()).isEqualTo(1);
        assertThat(queue.admin().find("late").orElseThrow().starts()).isZero();
    }

    @Test
    void a_stop_that_is_interrupted_interrupts_the_handlers_and_still_tells_all_results() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        RedisWorker worker = worker(job -> {
                    started.countDown();
                    new CountDownLatch(1).await();
                })
                .start();
        queue.enqueue(NewJob.of("work", "{}"));
        started.await();
        AtomicBoolean stillInterrupted = new AtomicBoolean();
        Thread stopper = new Thread(() -> {
            worker.stop(Duration.ofHours(1));
            stillInterrupted.set(Thread.currentThread().isInterrupted());
        });
        stopper.start();
        await().until(() -> stopper.getState() == Thread.State.TIMED_WAITING);
        stopper.interrupt();
        stopper.join();
        assertThat(stillInterrupted).isTrue();
        assertThat(queue.counts().leased()).isZero();
        assertThat(queue.counts().ready()).isEqualTo(1);
    }

    private static boolean isIn(String thread, Class<?> code) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey().getName().equals(thread))
                .anyMatch(entry -> Arrays.stream(entry.getValue())
                        .anyMatch(frame -> frame.getClassName().equals(code.getName())));
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
}
