package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.ThrottledException;
import dev.baton.job.EnqueueAnswer;
import dev.baton.job.Job;
import dev.baton.job.JobHandler;
import dev.baton.job.NewJob;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PartitionedQueueIT {
    private final RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
    private final PartitionedQueue queue = queues.partitioned("issuance", 3);

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void a_key_is_always_in_the_partition_that_its_hash_says() {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            jobs.add(NewJob.of("issue", "{}").withId("job-" + i).orderedBy("order-" + i % 30));
        }
        assertThat(queue.enqueue(jobs)).hasSize(300).containsOnly(EnqueueAnswer.ACCEPTED);

        for (NewJob job : jobs) {
            int expected = Math.floorMod(("order-" + number(job.id()) % 30).hashCode(), 3);
            assertThat(queue.partitions().get(expected).admin().find(job.id()))
                    .as(job.id())
                    .isPresent();
        }
        assertThat(queue.counts().pending()).isEqualTo(300);
        assertThat(queue.partition("order-7").name()).isEqualTo("issuance#" + Math.floorMod("order-7".hashCode(), 3));
    }

    @Test
    void answers_come_in_the_order_of_the_jobs_whatever_their_partition() {
        queue.enqueue(NewJob.of("issue", "{}").withId("b"));
        assertThat(queue.enqueue(List.of(
                        NewJob.of("issue", "{}").withId("a"),
                        NewJob.of("issue", "{}").withId("b"),
                        NewJob.of("issue", "{}").withId("c"))))
                .containsExactly(EnqueueAnswer.ACCEPTED, EnqueueAnswer.DUPLICATE, EnqueueAnswer.ACCEPTED);
    }

    @Test
    void a_job_without_a_key_is_found_again_by_its_unique_id_or_else_its_id() {
        assertThat(queue.enqueue(NewJob.of("issue", "{}").unique("only"))).isEqualTo(EnqueueAnswer.ACCEPTED);
        assertThat(queue.enqueue(NewJob.of("issue", "{}").unique("only"))).isEqualTo(EnqueueAnswer.DUPLICATE);
        assertThat(queue.enqueue(NewJob.of("issue", "{}").withId("x"))).isEqualTo(EnqueueAnswer.ACCEPTED);
        assertThat(queue.enqueue(NewJob.of("issue", "{}").withId("x"))).isEqualTo(EnqueueAnswer.DUPLICATE);
    }

    @Test
    void workers_of_all_partitions_run_each_job_once_and_the_jobs_of_a_key_in_order() {
        Map<String, List<Integer>> seen = new ConcurrentHashMap<>();
        List<NewJob> jobs = IntStream.range(0, 600)
                .mapToObj(i -> NewJob.of("issue", "{}").withId("job-" + i).orderedBy("order-" + i % 20))
                .toList();
        queue.enqueue(jobs);
        try (RedisWorkers workers = queue.startWorkers(settings -> settings.concurrency(5)
                .handle(
                        "issue",
                        job -> seen.computeIfAbsent(key(job), key -> new ArrayList<>())
                                .add(number(job.id()))))) {
            await().until(() -> queue.counts().totals().completed() == 600);
            assertThat(workers.stop(Duration.ofSeconds(5)).handedBack()).isEmpty();
        }
        assertThat(seen).hasSize(20);
        seen.forEach((key, numbers) -> assertThat(numbers).as(key).hasSize(30).isSorted());
    }

    @Test
    void workers_of_some_partitions_leave_the_others_alone() {
        queue.enqueue(IntStream.range(0, 90)
                .mapToObj(i -> NewJob.of("issue", "{}").withId("job-" + i))
                .toList());
        Set<String> names = ConcurrentHashMap.newKeySet();
        long others = queue.partitions().get(1).counts().ready();
        try (RedisWorkers workers =
                queue.startWorkers(Set.of(0, 2), settings -> settings.handle("issue", job -> names.add(job.queue())))) {
            await().until(() -> queue.counts().pending() == others);
            assertThat(workers).isNotNull();
        }
        assertThat(names).containsExactlyInAnyOrder("issuance#0", "issuance#2");
        assertThat(queue.partitions().get(1).counts().ready()).isEqualTo(others).isPositive();
    }

    @Test
    void a_quota_that_one_partition_meets_holds_all_of_them_also_those_that_are_served_elsewhere() {
        Duration wait = Duration.ofSeconds(2);
        AtomicLong refusedAt = new AtomicLong();
        Map<String, Long> startedAfter = new ConcurrentHashMap<>();
        JobHandler handler = job -> {
            if (refusedAt.get() == 0) {
                refusedAt.set(System.nanoTime());
                throw new ThrottledException(wait, "quota");
            }
            startedAfter.merge(job.queue(), System.nanoTime() - refusedAt.get(), Math::min);
        };
        try (RedisWorkers one = queue.startWorkers(Set.of(0), settings -> settings.handle("issue", handler));
                RedisWorkers others = queue.startWorkers(Set.of(1, 2), settings -> settings.handle("issue", handler))) {
            queue.partitions().get(0).enqueue(NewJob.of("issue", "{}"));
            await().until(() -> queue.partitions().get(0).counts().totals().throttled() == 1);
            queue.partitions().forEach(partition -> partition.enqueue(NewJob.of("issue", "{}")));
            await().until(() -> queue.counts().totals().completed() == 4);
            assertThat(List.of(one, others)).isNotEmpty();
        }
        assertThat(startedAfter)
                .hasSize(3)
                .allSatisfy((partition, nanos) ->
                        assertThat(Duration.ofNanos(nanos)).as(partition).isGreaterThan(wait.minusMillis(2)));
    }

    @Test
    void all_partitions_stop_within_one_grace() {
        CountDownLatch begun = new CountDownLatch(3);
        Set<Integer> filled = new HashSet<>();
        for (int i = 0; filled.size() < 3; i++) {
            if (filled.add(Math.floorMod(("job-" + i).hashCode(), 3))) {
                queue.enqueue(NewJob.of("issue", "{}").withId("job-" + i));
            }
        }
        CountDownLatch never = new CountDownLatch(1);
        RedisWorkers workers = queue.startWorkers(settings -> settings.handle("issue", job -> {
            begun.countDown();
            never.await();
        }));
        await().until(() -> begun.getCount() == 0);
        assertThat(workers.stop(Duration.ZERO).handedBack()).hasSize(3);
        assertThat(queue.counts().ready()).isEqualTo(3);
    }

    @Test
    void another_number_of_partitions_is_refused_before_anything_is_enqueued() {
        queue.enqueue(NewJob.of("issue", "{}"));
        PartitionedQueue other = queues.partitioned("issuance", 5);
        assertThatThrownBy(() -> other.enqueue(NewJob.of("issue", "{}")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue issuance has 3 partitions in Redis, not 5")
                .hasMessageContaining("docs/partitions.md");
        assertThatThrownBy(() -> other.startWorkers(settings -> settings.handle("issue", job -> {})))
                .isInstanceOf(IllegalStateException.class);
        assertThat(queue.counts().pending()).isEqualTo(1);
    }

    @Test
    void a_partition_has_no_keys_in_common_with_a_queue_of_its_name() {
        RedisJobQueue namesake = queues.queue("issuance#0");
        queue.partitions().get(0).enqueue(NewJob.of("issue", "{}"));
        assertThat(namesake.counts().pending()).isZero();
        assertThat(queues.queue("issuance:0").counts().pending()).isZero();
        assertThat(queues.queue("issuance").counts().pending()).isZero();
    }

    @Test
    void numbers_out_of_bounds_are_named_with_the_bound() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queues.partitioned("q", 0))
                .withMessage("queue q has 0 partitions; there must be between 1 and 1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queue.startWorkers(Set.of(3), settings -> settings.handle("issue", job -> {})))
                .withMessage("there is no partition 3 of queue issuance; it must be between 0 and 2");
    }

    private static String key(Job job) {
        return "order-" + number(job.id()) % 20;
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(id.indexOf('-') + 1));
    }
}
