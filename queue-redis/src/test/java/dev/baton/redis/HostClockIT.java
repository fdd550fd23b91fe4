package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.Job;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenario Q11. Java offers no way to give a process another wall clock, so it is the other clock that is wrong by ten
 * minutes: a host sees the same difference whether its own clock is behind or the store's ahead. That nothing reads the
 * host's clock in the first place is a rule of {@code LayersTest}.
 */
@Timeout(60)
class HostClockIT {
    private static final Duration LEASE = Duration.ofSeconds(1);

    @ParameterizedTest(name = "the store is {0} minutes ahead")
    @ValueSource(longs = {-10, 10})
    void leases_delays_limits_and_schedules_are_as_with_right_clocks(long minutes) throws Exception {
        RedisQueues right = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
        RedisQueues queues = RedisQueues.connect(Redis.get().uri(), right.prefix(), () -> shifted(right, minutes));
        RedisJobQueue queue = queues.queue("q");
        Run run = new Run(queue);
        queue.enqueue(NewJob.of("work", "{}").withId("orphan"));
        Exchange dying = new Exchange(queue, LEASE);
        long taken = System.nanoTime();
        assertThat(dying.send(dying.request(List.of(), 1)).taken()).hasSize(1);
        try (right;
                queues;
                RedisWorker one = run.worker();
                RedisWorker two = run.worker()) {
            assertThat(one).isNotSameAs(two);
            await().until(() -> run.starts.containsKey("orphan"));
            assertThat(run.after(taken, "orphan")).isBetween(LEASE, LEASE.plusSeconds(5));
            theLeaseOfALongJobIsKept(queue, run);
            aDelayedJobStartsAtItsTime(queue, run);
            aScheduleFires(queue, run);
            theLimitHolds(queue, run);
            assertThat(queue.counts().totals().reclaimed()).isEqualTo(1);
            assertThat(queue.counts().totals().lost()).isZero();
        }
    }

    private static void theLeaseOfALongJobIsKept(RedisJobQueue queue, Run run) {
        long asked = System.nanoTime();
        queue.enqueue(NewJob.of("long", "{}").withId("long"));
        await().until(() -> queue.counts().totals().completed() == 2);
        assertThat(run.after(asked, "long")).as("one start").isLessThan(LEASE);
    }

    private static void aDelayedJobStartsAtItsTime(RedisJobQueue queue, Run run) {
        long asked = System.nanoTime();
        queue.enqueue(NewJob.of("work", "{}").withId("delayed").after(Duration.ofMillis(500)));
        await().until(() -> run.starts.containsKey("delayed"));
        assertThat(run.after(asked, "delayed")).isBetween(Duration.ofMillis(495), Duration.ofSeconds(5));
    }

    private static void aScheduleFires(RedisJobQueue queue, Run run) {
        queue.schedules().upsert(Schedule.every("tick", Duration.ofSeconds(1), NewJob.of("work", "{}")));
        await().until(() -> run.starts.keySet().stream().anyMatch(id -> id.startsWith("tick")));
        queue.schedules().remove("tick");
    }

    private static void theLimitHolds(RedisJobQueue queue, Run run) {
        queue.settings().limit(10, Duration.ofSeconds(1));
        long asked = System.nanoTime();
        for (int i = 0; i < 25; i++) {
            queue.enqueue(NewJob.of("work", "{}").withId("limited-" + i));
        }
        await().until(() -> run.starts.keySet().stream()
                        .filter(id -> id.startsWith("limited"))
                        .count()
                == 25);
        Duration last = IntStream.range(0, 25)
                .mapToObj(i -> run.after(asked, "limited-" + i))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        assertThat(last).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(10));
    }

    private static String shifted(RedisQueues queues, long minutes) {
        Object millis = queues.redis()
                .eval(
                        "local t = redis.call('TIME') return t[1] * 1000 + math.floor(t[2] / 1000)",
                        List.of("{clock}"),
                        List.of());
        return Long.toString((Long) millis + Duration.ofMinutes(minutes).toMillis());
    }

    /** What two workers did. */
    private static final class Run {
        private final RedisJobQueue queue;
        private final Map<String, Long> starts = new ConcurrentHashMap<>();

        private Run(RedisJobQueue queue) {
            this.queue = queue;
        }

        private RedisWorker worker() {
            return RedisWorker.builder(queue)
                    .handle("work", this::start)
                    .handle("long", this::runForTwoLeases)
                    .lease(LEASE)
                    .start();
        }

        private void start(Job job) {
            starts.put(job.id(), System.nanoTime());
        }

        private void runForTwoLeases(Job job) throws InterruptedException {
            start(job);
            assertThat(new CountDownLatch(1).await(2 * LEASE.toMillis() + 200, TimeUnit.MILLISECONDS))
                    .isFalse();
        }

        private Duration after(long nanoTime, String id) {
            return Duration.ofNanos(starts.getOrDefault(id, 0L) - nanoTime);
        }
    }
}
