package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A queue with a clock that the test moves, its schedules, the pass that fires them, and a worker that takes the jobs. */
abstract class ScheduleFixture {
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final NewJob JOB = NewJob.of("report", "{}");

    final QueueFixture fixture = new QueueFixture();
    final RedisSchedules schedules = new RedisSchedules(fixture.queue);
    final SchedulePass pass = new SchedulePass(schedules);
    final Exchange worker = fixture.worker();

    // 08:00 in UTC.
    final Instant start = Instant.ofEpochMilli(fixture.now.get());

    @AfterEach
    void close() {
        fixture.close();
    }

    List<Turn> turns() {
        RedisSchedules.Due due = schedules.due(0, 10);
        return due.schedules().stream()
                .map(stored -> Turn.of(stored, due.now()))
                .toList();
    }

    Instant next(String id) {
        return schedules.find(id).orElseThrow().nextRun();
    }

    /** And finishes them. */
    List<Taken> takeAll() {
        List<Taken> all = fixture.take(worker, 200);
        all.forEach(taken -> fixture.settle(worker, Settlement.complete(QueueFixture.lease(taken))));
        return all;
    }

    void runAll() {
        int runs = 0;
        while (pass.run().isZero()) {
            assertThat(++runs).as("a pass that never rests").isLessThan(1_000);
        }
    }
}
