package dev.baton.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final Instant DUE = Instant.parse("2026-01-01T00:10:00Z");
    private static final NewJob JOB = NewJob.of("report", "{}");

    private final Schedule once = Schedule.cron("s", "* * * * *", ZoneOffset.UTC, JOB);
    private final Schedule skip = once.missed(MissedRuns.SKIP);

    @Test
    void an_occurrence_that_is_a_little_late_runs_and_so_do_those_that_follow_it() {
        for (Schedule schedule : new Schedule[] {once, skip}) {
            for (Duration late : new Duration[] {Duration.ZERO, Duration.ofMillis(200), Schedule.TOLERANCE}) {
                assertThat(schedule.runs(DUE, DUE.plus(late))).isTrue();
                assertThat(schedule.next(DUE, DUE.plus(late), DUE)).isEqualTo(DUE.plusSeconds(60));
            }
        }
    }

    @Test
    void missed_occurrences_are_dropped_or_run_once_and_the_first_in_the_future_is_next() {
        Instant now = DUE.plusSeconds(3_601);
        assertThat(skip.runs(DUE, now)).isFalse();
        assertThat(once.runs(DUE, now)).isTrue();
        assertThat(skip.next(DUE, now, DUE)).isEqualTo(DUE.plusSeconds(3_660));
        assertThat(once.next(DUE, now, DUE)).isEqualTo(DUE.plusSeconds(3_660));
        assertThat(skip.runs(DUE, DUE.plus(Schedule.TOLERANCE).plusMillis(1))).isFalse();
    }

    @Test
    void an_interval_stays_aligned_after_an_outage() {
        Schedule every = Schedule.every("s", Duration.ofSeconds(7), JOB);
        assertThat(every.next(DUE, DUE.plusSeconds(100), DUE)).isEqualTo(DUE.plusSeconds(105));
    }

    @Test
    void an_occurrence_is_a_job_of_its_own_that_knows_its_time() {
        NewJob job = Schedule.every(
                        "a b@c",
                        Duration.ofDays(1),
                        JOB.withHeaders(Map.of("h", "v")).priority(3).orderedBy("k"))
                .occurrence(DUE);
        assertThat(job.id()).isEqualTo("a b@c@2026-01-01T00:10:00Z");
        assertThat(job.headers()).isEqualTo(Map.of("h", "v", "baton-scheduled-for", "2026-01-01T00:10:00Z"));
        assertThat(job.options()).isEqualTo(JOB.priority(3).orderedBy("k").options());
        assertThat(job.name()).isEqualTo("report");
    }

    @Test
    void a_bad_schedule_is_refused_by_what_it_must_be() {
        Duration day = Duration.ofDays(1);
        assertThatThrownBy(() -> Schedule.every(" ", day, JOB)).hasMessageContaining("Schedule.id is blank");
        assertThatThrownBy(() -> Schedule.every("x".repeat(171), day, JOB))
                .hasMessage("Schedule.id has 171 characters; at most 170 are allowed");
        assertThat(Schedule.every("x".repeat(170), day, JOB)
                        .occurrence(Instant.parse("2026-01-01T00:10:00.123Z"))
                        .id())
                .hasSizeLessThan(200);
        assertThatThrownBy(() -> Schedule.every("s", day, JOB.after(day)))
                .hasMessageContaining("the job of schedule s has a delay or a time of its own");
        assertThatThrownBy(() -> Schedule.every("s", day, JOB.at(DUE))).hasMessageContaining("a time of its own");
    }
}
