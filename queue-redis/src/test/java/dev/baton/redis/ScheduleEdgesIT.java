package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import dev.baton.redis.Exchange.Taken;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Hours around the edges of daylight saving, in seconds: the clock of the queue is the test's, and goes on as soon as the
 * instances have done what is due. They compete for each occurrence, and each job is finished at once, so that nothing but
 * the schedule itself remembers that it has run.
 */
@Timeout(120)
class ScheduleEdgesIT {
    private static final int INSTANCES = 8;
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final NewJob JOB = NewJob.of("work", "{}");

    private final QueueFixture fixture = new QueueFixture();
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<String> runs = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean closing;

    @AfterEach
    void close() {
        closing = true;
        threads.forEach(ScheduleEdgesIT::join);
        fixture.close();
    }

    @Test
    void a_skipped_local_time_runs_at_the_shift_however_many_instances_compete() {
        Instant from = Instant.parse("2026-03-28T23:30:00Z");
        cross(from, Duration.ofHours(3));
        assertThat(runsOf("berlin")).containsExactly("2026-03-29T01:00:00Z");
        assertThat(runsOf("quarters").subList(0, 7))
                .containsExactly(
                        "2026-03-28T23:45:00Z",
                        "2026-03-29T00:00:00Z",
                        "2026-03-29T00:15:00Z",
                        "2026-03-29T00:30:00Z",
                        "2026-03-29T00:45:00Z",
                        "2026-03-29T01:00:00Z",
                        "2026-03-29T01:15:00Z");
        assertThat(runsOf("fixed")).containsExactly("2026-03-29T01:30:00Z");
    }

    @Test
    void a_repeated_local_time_runs_once_however_many_instances_compete() {
        Instant from = Instant.parse("2026-10-24T23:20:00Z");
        cross(from, Duration.ofHours(3));
        assertThat(runsOf("berlin")).containsExactly("2026-10-25T00:30:00Z");
        assertThat(runsOf("quarters"))
                .startsWith("2026-10-24T23:30:00Z")
                .containsSequence("2026-10-25T00:30:00Z", "2026-10-25T00:45:00Z", "2026-10-25T02:00:00Z");
        assertThat(runsOf("fixed")).containsExactly("2026-10-25T01:30:00Z");
    }

    private void cross(Instant from, Duration length) {
        fixture.now.set(from.toEpochMilli());
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        List<Schedule> all = List.of(
                Schedule.cron("berlin", "30 2 * * *", berlin, JOB),
                Schedule.cron("quarters", "*/15 * * * *", berlin, JOB),
                Schedule.cron("fixed", "30 2 * * *", ZoneOffset.ofHours(1), JOB),
                Schedule.every("interval", Duration.ofSeconds(95), JOB));
        for (int i = 0; i < INSTANCES; i++) {
            start(() -> instance(all));
        }
        start(this::worker);
        await().until(() -> schedules().list(0, 200).size() == all.size());
        Instant to = from.plus(length);
        while (now().isBefore(to)) {
            fixture.pass(STEP);
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> !failures.isEmpty() || nothingIsDue());
        }
        await().until(() -> !failures.isEmpty() || fixture.queue.counts().pending() == 0);
        assertThat(failures).isEmpty();
        assertThat(runs).as("no occurrence twice").hasSameSizeAs(new TreeSet<>(runs));
        assertThat(runsOf("interval"))
                .isEqualTo(Stream.iterate(from.plusSeconds(95), at -> !at.isAfter(to), at -> at.plusSeconds(95))
                        .map(Instant::toString)
                        .toList());
    }

    /** Comes, puts its schedules in place, fires what is due for a while, and goes: a new one comes. */
    private void instance(List<Schedule> all) {
        Random random = new Random();
        while (!closing) {
            try (RedisQueues own = RedisQueues.connect(
                    Redis.get().uri(), fixture.queues.prefix(), () -> Long.toString(fixture.now.get()))) {
                RedisSchedules schedules = new RedisSchedules(own.queue(fixture.queue.name()));
                SchedulePass pass = new SchedulePass(schedules);
                for (int left = random.nextInt(500); left > 0 && !closing; left--) {
                    schedules.upsert(all.get(random.nextInt(all.size())));
                    pass.run();
                }
            }
        }
    }

    private void worker() {
        // Longer than all that the clock moves meanwhile.
        Exchange exchange = new Exchange(fixture.queue, Duration.ofDays(1));
        while (!closing) {
            for (Taken taken : fixture.take(exchange, 100)) {
                runs.add(taken.id());
                fixture.settle(exchange, Settlement.complete(QueueFixture.lease(taken)));
            }
        }
    }

    private List<String> runsOf(String id) {
        return runs.stream()
                .filter(run -> run.startsWith(id + "@"))
                .map(run -> run.substring(id.length() + 1))
                .sorted()
                .toList();
    }

    private boolean nothingIsDue() {
        return fixture.queues.redis().zcount(fixture.queue.keys().schedules(), "-inf", Long.toString(fixture.now.get()))
                == 0;
    }

    private Instant now() {
        return Instant.ofEpochMilli(fixture.now.get());
    }

    private RedisSchedules schedules() {
        return new RedisSchedules(fixture.queue);
    }

    private void start(Runnable work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
        });
        threads.add(thread);
        thread.start();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
