package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import dev.baton.redis.Journal.Entry;
import dev.baton.redis.WorkerInstance.Settings;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Scenario Q8.
 *
 * <p>The limiter counts a start in the moment in which the queue hands the job out, by the clock of Redis. That is the time
 * that is recorded here: each handler knows it from its lease. When its first line runs is up to the host that it runs on.
 */
@Timeout(120)
class LimitProcessesIT {
    private static final int LIMIT = 10;
    private static final int JOBS = 90;
    private static final int THROTTLED = 3;
    /** Fewer than the limit, and busy for a while: one process alone cannot take all that may start at once. */
    private static final int SLOTS = 6;

    private static final String WORK = "hold:60";
    /** So long that none is renewed: a handler sees when the lease began from when it ends. */
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final Instances instances = new Instances();
    private final RedisJobQueue queue = instances.queue;

    @AfterEach
    void close() {
        instances.close();
    }

    @Test
    void four_processes_start_no_more_than_ten_jobs_in_any_second_and_never_stall() {
        queue.settings().limit(LIMIT, Duration.ofSeconds(1));
        // They come to a queue that is full already, so all of them wait for the same moment, again and again.
        queue.enqueue(IntStream.range(0, JOBS)
                .mapToObj(i -> NewJob.of("work", i % (JOBS / THROTTLED) == 20 ? "throttle:700," + WORK : WORK)
                        .withId("job-" + i))
                .toList());
        instances.start(Stream.of("w0", "w1", "w2", "w3")
                .map(name -> Settings.named(name).slots(SLOTS).lease(LEASE))
                .toArray(Settings[]::new));
        await().atMost(Instances.PATIENCE).until(() -> queue.counts().totals().completed() == JOBS);

        assertThat(queue.counts().totals().throttled()).isEqualTo(THROTTLED);
        List<Long> starts = instances.journal.entries("began").stream()
                .map(Entry::handedOut)
                .sorted()
                .toList();
        assertThat(starts).as("each start is in the journal").hasSize(JOBS + THROTTLED);
        for (int i = LIMIT; i < starts.size(); i++) {
            // Two whole milliseconds that differ by 1,000 can be less than a second apart.
            assertThat(starts.get(i) - starts.get(i - LIMIT))
                    .as("from start %d to %d of %s", i - LIMIT, i, starts)
                    .isGreaterThan(1_000);
        }
        assertNoStall(starts);
        assertThat(instances.journal.entries("began").stream()
                        .map(Entry::process)
                        .distinct())
                .as("processes that took part")
                .hasSizeGreaterThan(1);
    }

    /** No start is later than the limit and the holds make it, but for the time that a busy machine takes to wake up. */
    private static void assertNoStall(List<Long> starts) {
        for (int i = 1; i < starts.size(); i++) {
            assertThat(starts.get(i) - starts.get(i - 1))
                    .as("a gap before start %d of %s", i, starts)
                    .isLessThan(3_500);
        }
        long fastest = 1_000L * (JOBS + THROTTLED) / LIMIT + THROTTLED * 1_700L;
        assertThat(starts.get(starts.size() - 1) - starts.get(0)).isLessThan(2 * fastest);
    }
}
