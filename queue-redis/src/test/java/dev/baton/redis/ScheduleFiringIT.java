package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.failure.RetryPolicy;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import dev.baton.job.ScheduleView;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The jobs of due schedules: each occurrence once, whoever fires it. */
class ScheduleFiringIT extends ScheduleFixture {
    @Test
    void firing_enqueues_the_occurrence_and_moves_the_next_run_and_nothing_else() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        schedules.upsert(Schedule.every("later", MINUTE.multipliedBy(2), JOB));
        Map<String, String> before = Keyspace.of(fixture);
        fixture.pass(MINUTE);
        runAll();

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
    void an_occurrence_is_due_in_its_millisecond_and_not_in_the_one_before() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB));
        fixture.pass(MINUTE.minusMillis(1));
        assertThat(schedules.due(0, 10).schedules()).isEmpty();
        assertThat(schedules.due(0, 10).nextMs()).isOne();
        fixture.pass(Duration.ofMillis(1));
        assertThat(schedules.due(0, 10).schedules()).hasSize(1);
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
        runAll();
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
        runAll();
        double due = fixture.now.get();
        fixture.queues.redis().zadd(fixture.queue.keys().schedules(), due, "s");
        assertThat(schedules.fire(turns())).containsExactly("duplicate");
        assertThat(takeAll()).extracting(Taken::id).containsExactly("s@" + start.plus(MINUTE));
    }

    @Test
    void a_unique_id_lets_no_new_run_begin_while_the_last_one_is_alive() {
        schedules.upsert(Schedule.every("s", MINUTE, JOB.unique("report")));
        fixture.pass(MINUTE);
        runAll();
        fixture.pass(MINUTE);
        runAll();
        Taken only = fixture.takeOne(worker);
        fixture.settle(worker, Settlement.complete(QueueFixture.lease(only)));
        fixture.pass(MINUTE);
        runAll();
        assertThat(takeAll()).extracting(Taken::id).containsExactly("s@" + start.plus(MINUTE.multipliedBy(3)));
    }
}
