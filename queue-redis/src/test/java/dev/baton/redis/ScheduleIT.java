package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.job.MissedRuns;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import dev.baton.job.ScheduleView;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What schedules there are, and when each runs next. */
class ScheduleIT extends ScheduleFixture {
    @Test
    void an_upsert_writes_the_schedule_and_its_next_run_and_nothing_else() {
        fixture.enqueue("other");
        Map<String, String> before = Keyspace.of(fixture);
        NewJob job = NewJob.of("report", "{\"a\": 1}\nb")
                .priority(3)
                .orderedBy("k")
                .unique("u")
                .withHeaders(Map.of("h", "v"));
        assertThat(schedules.upsert(Schedule.cron("s }:", "30 9 * * *", ZoneOffset.UTC, job)))
                .isTrue();

        Map<String, String> after = Keyspace.of(fixture);
        assertThat(after).containsAllEntriesOf(before).hasSize(before.size() + 2);
        assertThat(after.get(":schedules"))
                .isEqualTo("[s }:=" + start.plus(Duration.ofMinutes(90)).toEpochMilli() + "]");
        assertThat(after.get(":schedule:s }:"))
                .isEqualTo("{anchor=" + start.toEpochMilli()
                        + ", body=report\t{\"h\":\"v\"}\n{\"a\": 1}\nb, key=k, missed=ONCE, priority=3,"
                        + " timing=cron Z 30 9 * * *, unique=u, version=1}");
    }

    @Test
    void the_same_upsert_changes_nothing_even_when_the_next_run_is_due() {
        Schedule schedule = Schedule.every("s", MINUTE, JOB);
        schedules.upsert(schedule);
        Map<String, String> before = Keyspace.of(fixture);
        for (int seconds : new int[] {0, 30, 60, 3_600}) {
            fixture.pass(Duration.ofSeconds(seconds));
            assertThat(schedules.upsert(schedule)).isFalse();
            assertThat(schedules.upsert(Schedule.every("s", MINUTE, NewJob.of("report", "{}"))))
                    .isFalse();
        }
        assertThat(Keyspace.of(fixture)).isEqualTo(before);
    }

    @Test
    void another_job_or_policy_leaves_the_next_run_where_it_is_even_when_that_is_due() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        fixture.pass(Duration.ofSeconds(70));
        Schedule other = Schedule.every("s", MINUTE, NewJob.of("other", "new")).missed(MissedRuns.SKIP);
        assertThat(schedules.upsert(other)).isTrue();
        assertThat(schedules.find("s")).contains(new ScheduleView("s", other, start.plus(MINUTE), null));
        runAll();
        assertThat(takeAll()).extracting(Taken::id).containsExactly("s@" + start.plus(MINUTE));
        assertThat(next("s")).isEqualTo(start.plus(MINUTE.multipliedBy(2)));
    }

    @Test
    void another_timing_counts_from_now_by_the_servers_clock() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        fixture.pass(Duration.ofSeconds(90));
        Instant now = Instant.ofEpochMilli(fixture.now.get());
        assertThat(schedules.upsert(Schedule.every("s", MINUTE.multipliedBy(2), JOB)))
                .isTrue();
        assertThat(next("s")).isEqualTo(now.plus(MINUTE.multipliedBy(2)));
        schedules.upsert(Schedule.cron("s", "0 8 * * *", ZoneOffset.UTC, JOB));
        assertThat(next("s")).isEqualTo(start.plus(Duration.ofDays(1)));
        runAll();
        assertThat(takeAll()).as("what the old timing had not fired is dropped").isEmpty();
    }

    @Test
    void the_time_is_the_servers_whatever_the_host_believes() {
        fixture.now.set(Instant.parse("1999-03-27T20:00:00Z").toEpochMilli());
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        schedules.upsert(Schedule.cron("s", "30 2 * * *", berlin, JOB));
        assertThat(next("s")).isEqualTo("1999-03-28T01:00:00Z");
        fixture.now.set(Instant.parse("1999-03-28T01:00:00Z").toEpochMilli());
        runAll();
        assertThat(takeAll()).extracting(Taken::id).containsExactly("s@1999-03-28T01:00:00Z");
        assertThat(next("s")).isEqualTo("1999-03-29T00:30:00Z");
    }

    @Test
    void the_list_is_in_the_order_of_the_next_runs_and_comes_in_pages() {
        for (int i = 1; i <= 5; i++) {
            schedules.upsert(Schedule.every("s-" + i, MINUTE.multipliedBy(i), JOB));
        }
        assertThat(schedules.list(1, 3)).extracting(ScheduleView::id).containsExactly("s-2", "s-3", "s-4");
        assertThat(schedules.list(4, 200)).extracting(ScheduleView::nextRun).containsExactly(start.plusSeconds(300));
        assertThat(schedules.list(5, 1)).isEmpty();
        assertThatThrownBy(() -> schedules.list(-1, 1)).hasMessage("offset is -1; it must not be negative");
        assertThatThrownBy(() -> schedules.list(0, 201)).hasMessage("limit is 201; it must be between 1 and 200");
    }

    @Test
    void a_removed_schedule_leaves_nothing_but_its_jobs() {
        Map<String, String> before = Keyspace.of(fixture);
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        assertThat(schedules.find("s").orElseThrow().schedule()).isEqualTo(Schedule.every("s", MINUTE, JOB));
        assertThat(schedules.remove("s")).isTrue();
        assertThat(Keyspace.of(fixture)).isEqualTo(before);
        assertThat(schedules.remove("s")).isFalse();
        assertThat(schedules.find("s")).isEmpty();
        fixture.pass(MINUTE);
        runAll();
        assertThat(takeAll()).isEmpty();
    }

    @Test
    void a_payload_over_the_cap_is_refused_before_anything_is_written() {
        NewJob large = NewJob.of("report", "x".repeat(300_000));
        assertThatThrownBy(() -> schedules.upsert(Schedule.every("s", MINUTE, large)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 300000 bytes; at most 262144 are allowed");
        assertThat(Keyspace.of(fixture)).isEmpty();
    }

    @Test
    void an_obliterated_queue_has_no_schedules() {
        for (int i = 0; i < 3; i++) {
            schedules.upsert(Schedule.every("s-" + i, MINUTE, JOB));
        }
        fixture.queue.admin().obliterate();
        assertThat(Keyspace.of(fixture)).isEmpty();
    }
}
