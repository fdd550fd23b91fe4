package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.job.MissedRuns;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Schedules that are put, removed, and fired by instances some of which are late, on real Redis and on the model. */
final class ScheduleSteps {
    static final String IDS = "s0 s1 s2 s3";

    private static final int PAGE = 50;

    private final ModelQueue queue;
    private final Random random;
    private final ModelSchedules model;
    private final RedisSchedules real;
    private final List<Read> reads = new ArrayList<>();
    private final TreeSet<String> jobIds = new TreeSet<>();

    ScheduleSteps(QueueFixture fixture, ModelQueue queue, Random random) {
        this.queue = queue;
        this.random = random;
        this.model = new ModelSchedules(queue);
        this.real = new RedisSchedules(fixture.queue);
    }

    /** The ids of all jobs that a schedule has ever enqueued. */
    List<String> jobIds() {
        return List.copyOf(jobIds);
    }

    List<String> expected() {
        return model.state();
    }

    /** Answers what was done. */
    String step() {
        int dice = random.nextInt(10);
        if (dice < 3) {
            return upsert();
        } else if (dice < 4) {
            String id = id();
            assertThat(real.remove(id)).isEqualTo(model.remove(id));
            return "remove schedule " + id;
        } else if (dice < 8 || reads.isEmpty()) {
            Read read = read();
            reads.add(read);
            return random.nextInt(4) == 0 ? "read schedules" : fire(read);
        } else {
            return "late: " + fire(reads.get(random.nextInt(reads.size())));
        }
    }

    private String upsert() {
        long seconds = random.nextInt(3) == 0 ? 1 + random.nextInt(90) : 30;
        NewJob job = NewJob.of("work", "{\"n\":" + random.nextInt(2) + "}");
        job = switch (random.nextInt(5)) {
            case 0 -> job.orderedBy("k1");
            case 1 -> job.priority(3);
            case 2 -> job.unique("k2");
            default -> job;
        };
        Schedule schedule = Schedule.every(id(), Duration.ofSeconds(seconds), job);
        if (random.nextBoolean()) {
            schedule = schedule.missed(MissedRuns.SKIP);
        }
        assertThat(real.upsert(schedule)).isEqualTo(model.upsert(schedule, seconds * 1_000));
        return "upsert schedule " + schedule.id() + " every " + seconds + " s " + schedule.missed() + " "
                + job.options();
    }

    private Read read() {
        RedisSchedules.Due due = real.due(0, PAGE);
        List<ModelSchedules.Occurrence> expected = model.due();
        assertThat(due.nextMs()).isEqualTo(model.nextMs());
        assertThat(due.schedules().stream().map(each -> each.id() + each.due()).toList())
                .isEqualTo(expected.stream()
                        .map(each -> each.schedule().id() + each.dueMs())
                        .toList());
        List<Turn> turns =
                due.schedules().stream().map(each -> Turn.of(each, due.now())).toList();
        return new Read(turns, expected, queue.now);
    }

    private String fire(Read read) {
        read.expected.forEach(each -> jobIds.add(
                each.schedule().occurrence(Instant.ofEpochMilli(each.dueMs())).id()));
        assertThat(read.turns.isEmpty() ? List.of() : real.fire(read.turns))
                .isEqualTo(model.fire(read.expected, read.at));
        return "fire " + read.expected.size() + " schedules as of " + read.at;
    }

    private String id() {
        return "s" + random.nextInt(4);
    }

    private record Read(List<Turn> turns, List<ModelSchedules.Occurrence> expected, long at) {}
}
