package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.RetryPolicy;
import dev.baton.job.Job;
import dev.baton.job.JobHandler;
import dev.baton.job.NewJob;
import dev.baton.servers.Redis;
import dev.baton.trace.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import redis.clients.jedis.Jedis;

class RedisWorkerIT extends WorkerFixture {
    @Test
    void what_is_not_set_is_as_the_documentation_says() {
        RedisWorkerBuilder unset = RedisWorker.builder(queue);
        assertThat(List.of(unset.lease, unset.grace)).containsExactly(Duration.ofSeconds(15), Duration.ofSeconds(6));
        assertThat(unset.concurrency).isEqualTo(10);
        assertThat(unset.retry).isEqualTo(RetryPolicy.DEFAULT);
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

    /** It looks every 5 s by itself; and conversations that were at work under the load may still be asking when it ends. */
    @Test
    void a_worker_hears_of_the_next_job_at_once_also_when_it_has_just_been_under_load() {
        AtomicInteger ran = new AtomicInteger();
        try (RedisWorker worker = worker(job -> ran.incrementAndGet()).start()) {
            for (int round = 1; round <= 10; round++) {
                int expected = round * 3_001;
                queue.enqueue(Stream.generate(() -> NewJob.of("work", "{}"))
                        .limit(3_000)
                        .toList());
                await().until(() -> ran.get() == expected - 1);
                queue.enqueue(NewJob.of("work", "{}"));
                await().atMost(Duration.ofSeconds(3)).until(() -> ran.get() == expected);
            }
            assertThat(worker).isNotNull();
        }
    }

    /** A worker looks every 5 s by itself. */
    @Test
    void what_is_due_while_the_worker_that_knew_of_it_is_full_starts_at_another_one() {
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean delayed = new AtomicBoolean();
        AtomicInteger running = new AtomicInteger();
        JobHandler handler = job -> {
            delayed.compareAndSet(false, job.id().equals("delayed"));
            running.incrementAndGet();
            end.await();
        };
        try (RedisWorker one = worker(handler).concurrency(2).start();
                RedisWorker other = worker(handler).concurrency(2).start();
                Jedis jedis = new Jedis(Redis.get().uri())) {
            // Both sleep until they are woken: they have looked, and will not look again for 5 s.
            await().until(() -> jedis.clientList().split("cmd=blpop", -1).length > 2);
            queue.enqueue(List.of(
                    NewJob.of("work", "{}"),
                    NewJob.of("work", "{}"),
                    NewJob.of("work", "{}").withId("delayed").after(Duration.ofMillis(300))));
            await().atMost(Duration.ofSeconds(3)).untilTrue(delayed);
            assertThat(running).hasValue(3);
            end.countDown();
            assertThat(one).isNotSameAs(other);
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
    void one_slot_runs_jobs_in_the_order_of_the_queue_however_many_there_are() {
        List<Integer> numbers = IntStream.range(0, 20_000).boxed().toList();
        queue.enqueue(numbers.stream()
                .map(number -> NewJob.of("work", number.toString()))
                .toList());
        List<Integer> started = Collections.synchronizedList(new ArrayList<>());
        try (RedisWorker worker = worker(job -> started.add(Integer.parseInt(job.payload())))
                .concurrency(1)
                .start()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> started.size() == numbers.size());
            assertThat(worker).isNotNull();
        }
        assertThat(started).isEqualTo(numbers);
    }

    @Test
    void a_bad_setting_is_refused_with_its_bound() {
        assertThatThrownBy(() -> worker(job -> {}).concurrency(0)).hasMessageContaining("between 1 and 150");
        assertThatThrownBy(() -> worker(job -> {}).lease(Duration.ofMillis(999)))
                .hasMessage("lease is PT0.999S; it must be between PT1S and PT24H");
        assertThatThrownBy(() -> worker(job -> {}).lease(Duration.ofDays(1).plusNanos(1)))
                .hasMessageContaining("it must be between PT1S and PT24H");
        assertThatThrownBy(() -> worker(job -> {}).grace(Duration.ofMillis(-1)))
                .hasMessage("grace is PT-0.001S; it must be between PT0S and PT8760H");
        assertThatThrownBy(() -> worker(job -> {}).handle("work", job -> {})).hasMessageContaining("two handlers");
        assertThatThrownBy(() -> RedisWorker.builder(queue).start()).hasMessageContaining("has no handler");
    }

    private double deadline() {
        return queues.redis().zrangeWithScores(queue.keys().leased(), 0, 0).stream()
                .mapToDouble(lease -> lease.getScore())
                .findFirst()
                .orElse(0);
    }
}
