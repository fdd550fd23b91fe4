package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.job.MissedRuns;
import dev.baton.job.Schedule;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Passes that come late, meet what they cannot read, or have much to do. */
class SchedulePassIT extends ScheduleFixture {
    @Test
    void occurrences_that_are_a_little_late_run_each_for_itself() {
        schedules.upsert(Schedule.every("s", Duration.ofSeconds(10), JOB).missed(MissedRuns.SKIP));
        fixture.pass(Duration.ofSeconds(30).plusMillis(200));
        runAll();
        assertThat(takeAll())
                .extracting(Taken::id)
                .containsExactly(
                        "s@" + start.plusSeconds(10), "s@" + start.plusSeconds(20), "s@" + start.plusSeconds(30));
        assertThat(next("s")).isEqualTo(start.plusSeconds(40));
    }

    @Test
    void missed_occurrences_are_dropped_or_run_once_as_the_policy_says() {
        schedules.upsert(Schedule.every("once", MINUTE, JOB));
        schedules.upsert(Schedule.every("skip", MINUTE, JOB).missed(MissedRuns.SKIP));
        fixture.pass(Duration.ofMinutes(10).plusSeconds(7));
        runAll();
        assertThat(takeAll()).extracting(Taken::id).containsExactly("once@" + start.plus(MINUTE));
        assertThat(next("once")).isEqualTo(start.plus(MINUTE.multipliedBy(11)));
        assertThat(next("skip")).isEqualTo(start.plus(MINUTE.multipliedBy(11)));
        assertThat(schedules.find("skip").orElseThrow().lastRun()).isNull();
        fixture.pass(Duration.ofSeconds(53));
        runAll();
        assertThat(takeAll()).as("from then on as ever").hasSize(2);
    }

    @Test
    void schedules_that_cannot_be_read_stop_nobody_and_are_left_to_those_who_can() {
        List<String> bad = new ArrayList<>();
        for (int i = 0; i < SchedulePass.PAGE + 10; i++) {
            String id = "bad-" + i;
            schedules.upsert(Schedule.every(id, MINUTE, JOB));
            spoil(id, i);
            bad.add(id);
        }
        fixture.pass(Duration.ofMillis(1));
        for (int i = 0; i < SchedulePass.PAGE + 10; i++) {
            schedules.upsert(Schedule.every("good-" + i, MINUTE, JOB));
        }
        fixture.pass(MINUTE);
        runAll();
        assertThat(takeAll())
                .hasSize(SchedulePass.PAGE + 10)
                .allMatch(job -> job.id().startsWith("good-"));
        assertThat(bad).allSatisfy(id -> {
            assertThat(next(id)).isEqualTo(start.plus(MINUTE));
            assertThat(schedules.find(id).orElseThrow().schedule()).isNull();
        });
        assertThat(schedules.list(0, 200)).hasSize(2 * (SchedulePass.PAGE + 10));
        assertThat(schedules.upsert(Schedule.every("bad-0", MINUTE, JOB)))
                .as("and can be replaced")
                .isTrue();
    }

    @Test
    void one_pass_fires_a_bounded_number_and_the_next_ones_the_rest() {
        for (int i = 0; i < 130; i++) {
            schedules.upsert(Schedule.every("s-" + i, MINUTE, JOB));
        }
        fixture.pass(MINUTE);
        assertThat(pass.run()).isEqualTo(Duration.ZERO);
        assertThat(fixture.queue.counts().ready()).isEqualTo(SchedulePass.PAGE);
        runAll();
        assertThat(fixture.queue.counts().ready()).isEqualTo(130);
    }

    @Test
    void a_pass_rests_until_the_next_run_and_never_long_because_others_may_add_one() {
        assertThat(pass.run()).isEqualTo(Duration.ofSeconds(2));
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        assertThat(pass.run()).isEqualTo(Duration.ofSeconds(2));
        fixture.pass(Duration.ofMillis(59_300));
        assertThat(pass.run()).isEqualTo(Duration.ofMillis(700));
        fixture.pass(Duration.ofMillis(699));
        assertThat(pass.run()).isEqualTo(Duration.ofMillis(1));
        assertThat(takeAll()).isEmpty();
    }

    @Test
    void a_server_whose_clock_is_put_back_fires_no_occurrence_again() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        fixture.pass(MINUTE);
        runAll();
        takeAll();
        fixture.now.addAndGet(-Duration.ofHours(1).toMillis());
        runAll();
        schedules.upsert(Schedule.cron("s", "* * * * *", ZoneOffset.UTC, JOB));
        assertThat(next("s")).as("not the minute that has run").isEqualTo(start.plus(MINUTE.multipliedBy(2)));
        runAll();
        assertThat(takeAll()).isEmpty();
    }

    private void spoil(String id, int how) {
        String key = fixture.queue.keys().schedule(id);
        String[][] wrong = {
            {"timing", "moon full"},
            {"timing", "cron Mars/Olympus 0 3 * * *"},
            {"timing", "cron UTC 99 * * * *"},
            {"missed", "ALL"},
            {"body", "no json"},
            {"priority", "-7"},
        };
        if (how % 7 == 6) {
            fixture.queues.redis().hdel(key, "version", "anchor");
            fixture.queues.redis().hset(key, "timing", "");
        } else {
            fixture.queues.redis().hset(key, wrong[how % 7][0], wrong[how % 7][1]);
        }
    }
}
