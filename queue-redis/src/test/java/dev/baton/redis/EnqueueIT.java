package dev.baton.redis;

import static dev.baton.redis.QueueFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.failure.DeathReason;
import dev.baton.failure.Outcome;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.EnqueueAnswer;
import dev.baton.job.Job;
import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EnqueueIT {
    private final QueueFixture fixture = new QueueFixture();
    private final RedisJobQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_job_arrives_as_it_was_enqueued() {
        String payload = "{\"n\": 9007199254740993, \"text\": \"a\\u0000\\nb \uD83D\uDE00\"}\n\nsecond line";
        NewJob job = NewJob.of("capture", payload).withId("id-1").withHeaders(Map.of("correlationId", "r\n1"));
        queue.enqueue(job);

        Job taken = JobRecord.parse("id-1", fixture.takeOne(fixture.worker()).record())
                .toJob("payments");
        assertThat(taken)
                .isEqualTo(new Job(
                        "payments",
                        "id-1",
                        "capture",
                        payload,
                        Map.of("correlationId", "r\n1"),
                        Instant.ofEpochMilli(fixture.now.get()),
                        1,
                        1));
    }

    @Test
    void a_job_whose_id_is_alive_is_a_duplicate_and_changes_nothing() {
        NewJob first = NewJob.of("capture", "first").withId("id-1");
        assertThat(queue.enqueue(first)).isEqualTo(EnqueueAnswer.ACCEPTED);
        assertThat(queue.enqueue(NewJob.of("capture", "second").withId("id-1"))).isEqualTo(EnqueueAnswer.DUPLICATE);

        assertThat(fixture.record("id-1").payload()).isEqualTo("first");
        assertThat(queue.counts().ready()).isEqualTo(1);
    }

    @Test
    void of_a_call_in_which_one_id_is_known_the_others_enter_in_their_order() {
        fixture.enqueue("b");
        List<NewJob> jobs = List.of("a", "b", "c").stream()
                .map(id -> NewJob.of("work", "again").withId(id))
                .toList();
        assertThat(queue.enqueue(jobs))
                .containsExactly(EnqueueAnswer.ACCEPTED, EnqueueAnswer.DUPLICATE, EnqueueAnswer.ACCEPTED);
        assertThat(QueueFixture.ids(fixture.take(fixture.worker(), 10))).containsExactly("b", "a", "c");
        assertThat(fixture.record("b").payload()).isEqualTo("{}");
    }

    @Test
    void whoever_waits_is_told_of_a_job_that_may_start_and_of_one_that_is_due_before_all_others() {
        for (NewJob job : List.of(
                NewJob.of("work", "{}"),
                NewJob.of("work", "{}").priority(3),
                NewJob.of("work", "{}").orderedBy("k"),
                NewJob.of("work", "{}").after(Duration.ofDays(1)),
                NewJob.of("work", "{}").after(Duration.ofHours(1)))) {
            fixture.queues.redis().del(queue.keys().wake());
            queue.enqueue(job);
            assertThat(fixture.queues.redis().llen(queue.keys().wake()))
                    .as("%s", job.options())
                    .isEqualTo(1);
        }
        fixture.queues.redis().del(queue.keys().wake());
        queue.enqueue(NewJob.of("work", "{}").after(Duration.ofHours(2)));
        assertThat(fixture.queues.redis().llen(queue.keys().wake())).isZero();
    }

    @Test
    void an_id_is_alive_in_whatever_state_its_job_is_and_free_once_it_is_completed() {
        Exchange worker = fixture.worker();
        NewJob job = NewJob.of("capture", "{}").withId("id-1");
        queue.enqueue(job);
        Exchange.Taken taken = fixture.takeOne(worker);
        assertThat(queue.enqueue(job)).isEqualTo(EnqueueAnswer.DUPLICATE);
        fixture.settle(worker, Settlement.release(lease(taken), Duration.ofSeconds(1)));
        assertThat(queue.enqueue(job)).isEqualTo(EnqueueAnswer.DUPLICATE);
        fixture.pass(Duration.ofSeconds(1));
        fixture.settle(worker, Settlement.complete(lease(fixture.takeOne(worker))));
        assertThat(queue.enqueue(job)).isEqualTo(EnqueueAnswer.ACCEPTED);
    }

    @Test
    void two_jobs_of_one_call_with_one_id_are_one_job() {
        NewJob job = NewJob.of("capture", "{}").withId("id-1");
        assertThat(queue.enqueue(List.of(job, job))).containsExactly(EnqueueAnswer.ACCEPTED, EnqueueAnswer.DUPLICATE);
        assertThat(queue.counts().ready()).isEqualTo(1);
    }

    @Test
    void a_part_of_a_millisecond_is_waited_for_too() {
        Exchange worker = fixture.worker();
        Duration wait = Duration.ofNanos(10_400_000);
        queue.enqueue(NewJob.of("capture", "{}")
                .withId("at")
                .at(Instant.ofEpochMilli(fixture.now.get()).plus(wait)));
        queue.enqueue(NewJob.of("capture", "{}").withId("after").after(wait));

        fixture.pass(Duration.ofMillis(10));
        assertThat(fixture.take(worker, 2)).isEmpty();
        fixture.pass(Duration.ofMillis(1));
        assertThat(QueueFixture.ids(fixture.take(worker, 2))).containsExactlyInAnyOrder("at", "after");
    }

    @Test
    void thousands_in_one_call_keep_their_order() {
        fixture.enqueueMany(1_001);
        Exchange worker = fixture.worker();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            ids.addAll(QueueFixture.ids(fixture.take(worker, 100)));
        }
        assertThat(ids).hasSize(1_001).startsWith("job-0", "job-1", "job-2").endsWith("job-999", "job-1000");
        assertThat(ids)
                .isSortedAccordingTo((a, b) -> Integer.parseInt(a.substring(4)) - Integer.parseInt(b.substring(4)));
    }

    @Test
    void jobs_of_one_call_that_are_due_together_start_in_their_order() {
        List<UnaryOperator<NewJob>> kinds =
                List.of(job -> job.after(Duration.ofSeconds(1)).orderedBy("k"), job -> job.priority(5));
        for (UnaryOperator<NewJob> kind : kinds) {
            List<NewJob> jobs = IntStream.range(0, 50)
                    .mapToObj(i -> kind.apply(NewJob.of("work", "" + i)))
                    .toList();
            queue.enqueue(jobs);
            fixture.pass(Duration.ofSeconds(1));
            Exchange worker = fixture.worker();
            List<String> started = new ArrayList<>();
            while (started.size() < jobs.size()) {
                for (Taken taken : fixture.take(worker, 50)) {
                    started.add(JobRecord.parse(taken.id(), taken.record()).payload());
                    fixture.settle(worker, Settlement.complete(QueueFixture.lease(taken)));
                }
            }
            assertThat(started).isEqualTo(jobs.stream().map(NewJob::payload).toList());
        }
    }

    @Test
    void a_unique_id_is_taken_by_one_live_job_and_free_when_that_ended() {
        Exchange worker = fixture.worker();
        NewJob first = NewJob.of("report", "{}").withId("a").unique("daily");
        NewJob second = NewJob.of("report", "{}").withId("b").unique("daily");
        assertThat(queue.enqueue(List.of(first, second)))
                .containsExactly(EnqueueAnswer.ACCEPTED, EnqueueAnswer.DUPLICATE);
        assertThat(fixture.queues.redis().exists(queue.keys().job("b"))).isFalse();
        fixture.settle(worker, Settlement.complete(lease(fixture.takeOne(worker))));
        assertThat(queue.enqueue(second)).isEqualTo(EnqueueAnswer.ACCEPTED);
        fixture.settle(
                worker,
                Settlement.failed(
                        lease(fixture.takeOne(worker)),
                        new Outcome.Bury(DeathReason.PERMANENT),
                        new IllegalStateException("no")));
        assertThat(queue.enqueue(first)).isEqualTo(EnqueueAnswer.ACCEPTED);
    }

    @Test
    void a_job_for_a_moment_waits_for_it_even_for_years_and_one_in_the_past_starts_now() {
        Instant now = Instant.ofEpochMilli(fixture.now.get());
        queue.enqueue(NewJob.of("work", "{}").withId("past").at(now.minusSeconds(1)));
        queue.enqueue(NewJob.of("work", "{}").withId("later").at(now.plus(Duration.ofDays(3650))));
        Exchange worker = fixture.worker();
        assertThat(QueueFixture.ids(fixture.take(worker, 10))).containsExactly("past");
        fixture.pass(Duration.ofDays(3650).minusMillis(1));
        assertThat(QueueFixture.ids(fixture.take(worker, 10))).doesNotContain("later");
        fixture.pass(Duration.ofMillis(1));
        assertThat(QueueFixture.ids(fixture.take(worker, 10))).contains("later");
    }

    @Test
    void the_counts_tell_how_long_the_oldest_ready_job_waits() {
        fixture.enqueue("a");
        fixture.pass(Duration.ofSeconds(3));
        queue.enqueue(NewJob.of("work", "{}").priority(9));
        assertThat(queue.counts().oldestReady()).isEqualTo(Duration.ofSeconds(3));
        fixture.take(fixture.worker(), 10);
        assertThat(queue.counts().oldestReady()).isEqualTo(Duration.ZERO);
        fixture.enqueue("b");
        fixture.enqueue("c");
        fixture.pass(Duration.ofSeconds(2));
        // Its id is still in front of the other one's.
        queue.admin().remove("b");
        assertThat(queue.counts().oldestReady()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void options_out_of_bounds_are_refused_by_name_and_bound() {
        NewJob job = NewJob.of("work", "{}");
        assertThatThrownBy(() -> job.priority(10)).hasMessage("priority is 10; it must be between 0 and 9");
        assertThatThrownBy(() -> job.orderedBy("a\tb")).hasMessageContaining("orderingKey has a control character");
        assertThatThrownBy(() -> job.orderedBy("a\ud800b"))
                .hasMessageContaining("orderingKey has half a surrogate pair at index 1");
        assertThatThrownBy(() -> job.unique("")).hasMessageContaining("uniqueId is blank");
        assertThatThrownBy(() -> job.retry(RetryPolicy.DEFAULT.withBackoff((failed, random) -> Duration.ZERO)))
                .hasMessageContaining("a job cannot carry a backoff that is code of one's own");
    }

    @Test
    void a_server_that_forgot_the_scripts_is_given_them_again() {
        fixture.enqueue("a");
        fixture.queues.redis().scriptFlush();
        fixture.enqueue("b");
        assertThat(QueueFixture.ids(fixture.take(fixture.worker(), 10))).containsExactly("a", "b");
    }
}
