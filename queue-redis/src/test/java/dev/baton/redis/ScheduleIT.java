package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.failure.RetryPolicy;
import dev.baton.job.MissedRuns;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import dev.baton.job.ScheduleView;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScheduleIT {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final NewJob JOB = NewJob.of("report", "{}");

    private final QueueFixture fixture = new QueueFixture();
    private final RedisSchedules schedules = new RedisSchedules(fixture.queue);
    private final SchedulePass pass = new SchedulePass(schedules);
    private final Exchange worker = fixture.worker();

    // 08:00 in UTC.
    private final Instant start = Instant.ofEpochMilli(fixture.now.get());

    @AfterEach
    void close() {
        fixture.close();
    }

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
        runAll(pass);
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
        runAll(pass);
        assertThat(takeAll()).as("what the old timing had not fired is dropped").isEmpty();
    }

    @Test
    void firing_enqueues_the_occurrence_and_moves_the_next_run_and_nothing_else() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        schedules.upsert(Schedule.every("later", MINUTE.multipliedBy(2), JOB));
        Map<String, String> before = Keyspace.of(fixture);
        fixture.pass(MINUTE);
        runAll(pass);

        Map<String, String> after = Keyspace.of(fixture);
        Instant first = start.plus(MINUTE);
        String id = "s@" + first;
        assertThat(after.remove(":job:" + id))
                .isEqualTo(
                        "0 0 " + fixture.now + " 0 0\t\t\n\nreport\t{\"baton-scheduled-for\":\"" + first + "\"}\n{}");
        assertThat(after.remove(":ready")).isEqualTo("[" + id + "]");
        assertThat(after.remove(":wake")).isEqualTo("[1]");
        long second = first.plus(MINUTE).toEpochMilli();
        assertThat(after.remove(":schedules")).isEqualTo("[later=" + second + ", s=" + second + "]");
        before.computeIfPresent(
                ":schedule:s", (key, was) -> was.replace(", missed", ", last=" + first.toEpochMilli() + ", missed"));
        before.remove(":schedules");
        assertThat(after).isEqualTo(before);
        assertThat(schedules.find("s")).map(ScheduleView::lastRun).contains(first);
    }

    @Test
    void the_job_of_an_occurrence_has_all_that_the_template_has() {
        NewJob template = NewJob.of("report", "p\nq")
                .priority(2)
                .orderedBy("k")
                .unique("u")
                .retry(RetryPolicy.DEFAULT.withAttempts(3))
                .withHeaders(Map.of("h", "v"));
        schedules.upsert(Schedule.every("s", MINUTE, template));
        fixture.pass(MINUTE);
        runAll(pass);
        JobRecord job = JobRecord.parse("s", fixture.takeOne(worker).record());
        assertThat(job.head().priority()).isEqualTo(2);
        assertThat(job.head().orderingKey()).isEqualTo("k");
        assertThat(job.head().uniqueId()).isEqualTo("u");
        assertThat(job.envelope().retry()).isEqualTo(RetryPolicy.DEFAULT.withAttempts(3));
        assertThat(job.envelope().headers())
                .isEqualTo(Map.of(
                        "h", "v", Schedule.SCHEDULED_FOR, start.plus(MINUTE).toString()));
        assertThat(job.payload()).isEqualTo("p\nq");
    }

    @Test
    void a_repeat_of_a_firing_whose_answer_was_lost_changes_nothing_even_when_the_job_is_done() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        fixture.pass(MINUTE);
        List<Turn> turns = turns();
        assertThat(schedules.fire(turns)).containsExactly("accepted");
        Map<String, String> once = Keyspace.of(fixture);
        assertThat(schedules.fire(turns)).containsExactly("passed");
        assertThat(Keyspace.of(fixture)).isEqualTo(once);
        fixture.settle(worker, Settlement.complete(QueueFixture.lease(fixture.takeOne(worker))));
        assertThat(schedules.fire(turns)).containsExactly("passed");
        assertThat(takeAll()).isEmpty();
    }

    @Test
    void of_two_instances_that_see_the_same_occurrence_one_fires_it() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        fixture.pass(MINUTE);
        List<Turn> one = turns();
        fixture.pass(Duration.ofMillis(5));
        List<Turn> two = turns();
        assertThat(schedules.fire(two)).containsExactly("accepted");
        assertThat(schedules.fire(one)).containsExactly("passed");
        assertThat(takeAll()).hasSize(1);
    }

    @Test
    void what_was_read_before_a_change_or_a_removal_fires_nothing() {
        schedules.upsert(Schedule.every("changed", MINUTE, JOB));
        schedules.upsert(Schedule.every("removed", MINUTE, JOB));
        schedules.upsert(Schedule.every("replaced", MINUTE, JOB));
        fixture.pass(MINUTE);
        List<Turn> turns = turns();
        schedules.upsert(Schedule.every("changed", MINUTE, NewJob.of("report", "new")));
        schedules.remove("removed");
        schedules.remove("replaced");
        schedules.upsert(Schedule.every("replaced", MINUTE, JOB));
        Map<String, String> before = Keyspace.of(fixture);
        assertThat(schedules.fire(turns)).containsExactly("passed", "passed", "passed");
        assertThat(Keyspace.of(fixture)).isEqualTo(before);
    }

    @Test
    void an_occurrence_whose_job_is_alive_is_not_enqueued_again_though_its_schedule_was_set_back() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        fixture.pass(MINUTE);
        runAll(pass);
        double due = fixture.now.get();
        fixture.queues.redis().zadd(fixture.queue.keys().schedules(), due, "s");
        assertThat(schedules.fire(turns())).containsExactly("duplicate");
        assertThat(takeAll()).extracting(Taken::id).containsExactly("s@" + start.plus(MINUTE));
    }

    @Test
    void a_unique_id_lets_no_new_run_begin_while_the_last_one_is_alive() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB.unique("report")));
        fixture.pass(MINUTE);
        runAll(pass);
        fixture.pass(MINUTE);
        runAll(pass);
        Taken only = fixture.takeOne(worker);
        fixture.settle(worker, Settlement.complete(QueueFixture.lease(only)));
        fixture.pass(MINUTE);
        runAll(pass);
        assertThat(takeAll()).extracting(Taken::id).containsExactly("s@" + start.plus(MINUTE.multipliedBy(3)));
    }

    @Test
    void occurrences_that_are_a_little_late_run_each_for_itself() {
        schedules.upsert(Schedule.every("s", Duration.ofSeconds(10), JOB).missed(MissedRuns.SKIP));
        fixture.pass(Duration.ofSeconds(30).plusMillis(200));
        runAll(pass);
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
        runAll(pass);
        assertThat(takeAll()).extracting(Taken::id).containsExactly("once@" + start.plus(MINUTE));
        assertThat(next("once")).isEqualTo(start.plus(MINUTE.multipliedBy(11)));
        assertThat(next("skip")).isEqualTo(start.plus(MINUTE.multipliedBy(11)));
        assertThat(schedules.find("skip").orElseThrow().lastRun()).isNull();
        fixture.pass(Duration.ofSeconds(53));
        runAll(pass);
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
        runAll(pass);
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
        runAll(pass);
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
        runAll(pass);
        takeAll();
        fixture.now.addAndGet(-Duration.ofHours(1).toMillis());
        runAll(pass);
        schedules.upsert(Schedule.cron("s", "* * * * *", ZoneOffset.UTC, JOB));
        assertThat(next("s")).as("not the minute that has run").isEqualTo(start.plus(MINUTE.multipliedBy(2)));
        runAll(pass);
        assertThat(takeAll()).isEmpty();
    }

    @Test
    void the_time_is_the_servers_whatever_the_host_believes() {
        fixture.now.set(Instant.parse("1999-03-27T20:00:00Z").toEpochMilli());
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        schedules.upsert(Schedule.cron("s", "30 2 * * *", berlin, JOB));
        assertThat(next("s")).isEqualTo("1999-03-28T01:00:00Z");
        fixture.now.set(Instant.parse("1999-03-28T01:00:00Z").toEpochMilli());
        runAll(pass);
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
        runAll(pass);
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

    private List<Turn> turns() {
        RedisSchedules.Due due = schedules.due(0, 10);
        return due.schedules().stream()
                .map(stored -> Turn.of(stored, due.now()))
                .toList();
    }

    private Instant next(String id) {
        return schedules.find(id).orElseThrow().nextRun();
    }

    /** And finishes them. */
    private List<Taken> takeAll() {
        List<Taken> all = fixture.take(worker, 200);
        all.forEach(taken -> fixture.settle(worker, Settlement.complete(QueueFixture.lease(taken))));
        return all;
    }

    static void runAll(SchedulePass pass) {
        int runs = 0;
        while (pass.run().isZero()) {
            assertThat(++runs).as("a pass that never rests").isLessThan(1_000);
        }
    }
}
