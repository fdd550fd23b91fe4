package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.Job;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.exceptions.JedisException;

@Timeout(60)
class ScheduleWorkerIT {
    private static final NewJob JOB = NewJob.of("tick", "{}");

    @Test
    void workers_fire_each_occurrence_once_and_on_time_without_being_told_of_the_schedule() {
        Queue<Job> runs = new ConcurrentLinkedQueue<>();
        try (RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
                RedisWorker one = worker(queues, runs);
                RedisWorker two = worker(queues, runs)) {
            queues.queue("q").schedules().upsert(Schedule.every("second", Duration.ofSeconds(1), JOB));
            await().until(() -> runs.size() >= 6);
            assertThat(one).isNotSameAs(two);
        }
        List<Instant> times =
                runs.stream().map(ScheduleWorkerIT::scheduledFor).sorted().toList();
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i)).isEqualTo(times.get(i - 1).plusSeconds(1));
        }
        // The first ones may be late: nobody had to look yet. A machine that is busy may hold up some others.
        List<Long> late = runs.stream()
                .map(job ->
                        Duration.between(scheduledFor(job), job.enqueuedAt()).toMillis())
                .sorted()
                .toList();
        assertThat(late).allMatch(ms -> ms >= 0);
        assertThat(late.get(late.size() / 4)).isLessThan(50);
    }

    @Test
    void lost_replies_neither_lose_nor_repeat_an_occurrence() throws Exception {
        int minutes = 150;
        try (QueueFixture fixture = new QueueFixture();
                LossyProxy proxy = new LossyProxy(Redis.get().uri(), 4);
                RedisQueues lossy = RedisQueues.connect(
                        proxy.uri(), fixture.queues.prefix(), () -> Long.toString(fixture.now.get()))) {
            RedisSchedules schedules = new RedisSchedules(lossy.queue(fixture.queue.name()));
            SchedulePass pass = new SchedulePass(schedules);
            Schedule schedule = Schedule.every("s", Duration.ofMinutes(1), JOB);
            repeat(() -> schedules.upsert(schedule));
            Instant start = Instant.ofEpochMilli(fixture.now.get());
            Exchange worker = fixture.worker();
            List<String> runs = new ArrayList<>();
            for (int i = 0; i < minutes; i++) {
                fixture.pass(Duration.ofMinutes(1));
                while (repeat(pass::run).isZero()) {
                    repeat(() -> schedules.upsert(schedule));
                }
                for (Exchange.Taken taken : fixture.take(worker, 10)) {
                    runs.add(taken.id());
                    fixture.settle(worker, Settlement.complete(QueueFixture.lease(taken)));
                }
            }
            assertThat(proxy.lost).hasValueGreaterThan(minutes / 4);
            List<String> expected = new ArrayList<>();
            for (int i = 1; i <= minutes; i++) {
                expected.add("s@" + start.plus(Duration.ofMinutes(i)));
            }
            assertThat(runs).isEqualTo(expected);
        }
    }

    private static RedisWorker worker(RedisQueues queues, Queue<Job> runs) {
        return RedisWorker.builder(queues.queue("q")).handle("tick", runs::add).start();
    }

    private static Instant scheduledFor(Job job) {
        return Instant.parse(String.valueOf(job.headers().get(Schedule.SCHEDULED_FOR)));
    }

    /** As a loop does: what failed is tried again. */
    private static <T> T repeat(Supplier<T> call) {
        while (true) {
            try {
                return call.get();
            } catch (JedisException e) {
                assertThat(e).hasMessageNotContaining("ERR");
            }
        }
    }
}
