package dev.baton.redis;

import static dev.baton.redis.QueueFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.baton.failure.DeathReason;
import dev.baton.failure.Outcome;
import dev.baton.job.EnqueueAnswer;
import dev.baton.job.JobState;
import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdminIT {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final QueueFixture fixture = new QueueFixture();
    private final Exchange worker = fixture.worker();
    private final QueueAdmin admin = fixture.queue.admin();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_job_is_found_in_each_of_its_states_with_its_time() {
        fixture.queue.settings().keepCompleted(10, Duration.ofDays(1));
        Instant now = Instant.ofEpochMilli(fixture.now.get());
        fixture.queue.enqueue(List.of(
                job("completed"),
                job("dead"),
                job("leased"),
                job("head").orderedBy("k"),
                job("blocked").orderedBy("k")));
        List<Taken> taken = fixture.take(worker, 3);
        fixture.settle(worker, Settlement.complete(lease(taken.get(0))));
        fixture.settle(worker, bury(taken.get(1)));
        fixture.queue.enqueue(List.of(
                job("ready"), job("delayed").after(SECOND), job("urgent").priority(1)));

        assertThat(admin.find("leased")).hasValueSatisfying(job -> {
            assertThat(job.state()).isEqualTo(JobState.LEASED);
            assertThat(job.time()).isEqualTo(now.plus(QueueFixture.LEASE));
        });
        assertThat(admin.find("delayed")).hasValueSatisfying(job -> {
            assertThat(job.state()).isEqualTo(JobState.DELAYED);
            assertThat(job.time()).isEqualTo(now.plus(SECOND));
        });
        assertThat(admin.find("dead")).hasValueSatisfying(job -> {
            assertThat(job.state()).isEqualTo(JobState.DEAD);
            assertThat(job.lastFailure()).isEqualTo("it failed");
            assertThat(job.attempts()).isEqualTo(1);
        });
        assertThat(admin.find("ready").map(JobView::state)).contains(JobState.READY);
        assertThat(admin.find("urgent").map(JobView::state)).contains(JobState.READY);
        assertThat(admin.find("blocked").map(JobView::state)).contains(JobState.BLOCKED);
        assertThat(admin.find("completed").map(JobView::state)).contains(JobState.COMPLETED);
        assertThat(admin.find("nobody")).isEmpty();
    }

    @Test
    void the_pages_of_the_ready_jobs_are_in_the_order_in_which_they_come_up() {
        fixture.enqueueMany(450);
        fixture.queue.enqueue(
                List.of(job("urgent-1").priority(1), job("urgent-9").priority(9)));
        List<String> listed = new ArrayList<>();
        for (int offset = 0; offset < 600; offset += 100) {
            listed.addAll(admin.list(JobState.READY, offset, 100).stream()
                    .map(JobView::id)
                    .toList());
        }
        assertThat(listed)
                .hasSize(452)
                .startsWith("urgent-9", "urgent-1", "job-0", "job-1")
                .endsWith("job-448", "job-449");
        assertThat(listed).doesNotHaveDuplicates();
    }

    @Test
    void the_other_states_are_listed_by_time() {
        fixture.queue.enqueue(
                List.of(job("later").after(SECOND.plusMillis(1)), job("sooner").after(SECOND)));
        assertThat(admin.list(JobState.DELAYED, 0, 10)).extracting(JobView::id).containsExactly("sooner", "later");
        assertThat(admin.list(JobState.DELAYED, 1, 10)).extracting(JobView::id).containsExactly("later");
        fixture.enqueue("a");
        fixture.take(worker, 1);
        assertThat(admin.list(JobState.LEASED, 0, 10)).extracting(JobView::id).containsExactly("a");
    }

    @Test
    void a_removed_job_never_runs_and_its_id_is_free() {
        fixture.enqueue("a", "b");
        assertThat(admin.remove("a")).contains(JobState.READY);
        assertThat(admin.remove("a")).isEmpty();
        assertThat(admin.find("a")).isEmpty();
        assertThat(fixture.queue.counts().ready()).isEqualTo(1);
        fixture.enqueue("a");
        assertThat(QueueFixture.ids(fixture.take(worker, 10))).containsExactly("b", "a");
        assertThat(fixture.queue.counts().ready()).isZero();
    }

    @Test
    void a_removed_job_is_passed_over_when_its_turn_comes_and_leaves_nothing() {
        fixture.enqueue("a", "b");
        admin.remove("a");
        assertThat(QueueFixture.ids(fixture.take(worker, 10))).containsExactly("b");
        assertThat(fixture.queues.redis().exists(fixture.queue.keys().job("a"))).isFalse();
        assertThat(fixture.queue.counts().ready()).isZero();
    }

    @Test
    void the_successor_of_a_removed_job_is_next() {
        fixture.queue.enqueue(List.of(job("a").orderedBy("k"), job("b").orderedBy("k"), job("c").orderedBy("k")));
        assertThat(admin.remove("b")).contains(JobState.BLOCKED);
        assertThat(admin.remove("a")).contains(JobState.READY);
        assertThat(QueueFixture.ids(fixture.take(worker, 10))).containsExactly("c");
    }

    @Test
    void a_job_that_a_worker_holds_is_not_removed() {
        fixture.enqueue("a");
        Taken taken = fixture.takeOne(worker);
        assertThat(admin.remove("a")).contains(JobState.LEASED);
        assertThat(fixture.settle(worker, Settlement.complete(lease(taken)))).isTrue();
    }

    @Test
    void the_death_of_a_job_gave_its_unique_id_back_so_its_removal_takes_it_from_nobody() {
        fixture.queue.enqueue(job("a").unique("u"));
        fixture.settle(worker, bury(fixture.takeOne(worker)));
        fixture.queue.enqueue(job("b").unique("u"));
        admin.remove("a");
        assertThat(fixture.queues.redis().get(fixture.queue.keys().unique("u"))).isEqualTo("b");
    }

    @Test
    void a_dead_job_that_is_tried_again_takes_its_unique_id_back_unless_another_one_has_it() {
        fixture.queue.enqueue(job("a").unique("u"));
        fixture.settle(worker, bury(fixture.takeOne(worker)));
        fixture.queue.enqueue(job("b").unique("u"));
        assertThat(admin.retry("a")).isFalse();
        fixture.settle(worker, Settlement.complete(lease(fixture.takeOne(worker))));
        assertThat(admin.retry("a")).isTrue();
        assertThat(fixture.queue.enqueue(job("c").unique("u"))).isEqualTo(EnqueueAnswer.DUPLICATE);
    }

    @Test
    void a_delayed_job_can_be_run_now_and_a_dead_one_tried_again_with_a_fresh_budget() {
        fixture.queue.enqueue(List.of(job("delayed").after(SECOND), job("dead")));
        fixture.settle(worker, bury(fixture.takeOne(worker)));
        assertThat(admin.runNow("dead")).isFalse();
        assertThat(admin.runNow("delayed")).isTrue();
        assertThat(admin.retry("dead")).isTrue();
        assertThat(admin.retry("dead")).isFalse();
        assertThat(QueueFixture.ids(fixture.take(worker, 10))).containsExactlyInAnyOrder("delayed", "dead");
        assertThat(fixture.record("dead").head().starts()).isZero();
        assertThat(fixture.record("dead").head().attempts()).isZero();
    }

    @Test
    void draining_removes_what_waits_and_leaves_what_runs() {
        fixture.enqueueMany(450);
        Taken running = fixture.takeOne(worker);
        for (int i = 0; i < 250; i++) {
            fixture.queue.enqueue(job("k" + i).orderedBy("k").priority(i % 10));
            fixture.queue.enqueue(job("d" + i).after(SECOND).unique("u" + i));
        }
        admin.remove("job-7");
        assertThat(admin.drain()).isGreaterThanOrEqualTo(449 + 500 - 1);
        assertThat(fixture.queue.counts().pending()).isEqualTo(1);
        assertThat(fixture.settle(worker, Settlement.complete(lease(running)))).isTrue();
        assertOnlyKeysOfTheQueueItselfAreLeft();
    }

    @Test
    void nothing_is_left_of_an_obliterated_queue() {
        fixture.queue.settings().keepCompleted(10, Duration.ofDays(1));
        fixture.enqueueMany(5);
        List<Taken> taken = fixture.take(worker, 4);
        fixture.settle(worker, Settlement.complete(lease(taken.get(0))));
        fixture.settle(worker, bury(taken.get(1)));
        admin.obliterate();
        assertThat(keys()).allMatch(key -> key.contains(":session:"));
        assertThat(fixture.settle(worker, Settlement.complete(lease(taken.get(2)))))
                .isFalse();
    }

    @Test
    void a_job_whose_record_cannot_be_read_is_shown_as_far_as_it_is_known() {
        fixture.enqueue("good", "bad", "other");
        fixture.queues.redis().set(fixture.queue.keys().job("bad"), "no record");
        assertThat(admin.list(JobState.READY, 0, 10))
                .extracting(JobView::id, JobView::name)
                .containsExactly(tuple("good", "work"), tuple("bad", ""), tuple("other", "work"));
        assertThat(admin.find("bad")).hasValueSatisfying(job -> {
            assertThat(job.state()).isEqualTo(JobState.READY);
            assertThat(job.payload()).isEqualTo("no record");
            assertThat(job.lastFailure()).contains("bad");
        });
    }

    @Test
    void a_page_out_of_bounds_is_refused() {
        assertThatThrownBy(() -> admin.list(JobState.READY, -1, 10)).hasMessageContaining("must not be negative");
        assertThatThrownBy(() -> admin.list(JobState.READY, 0, 201)).hasMessageContaining("between 1 and 200");
    }

    private void assertOnlyKeysOfTheQueueItselfAreLeft() {
        assertThat(keys()).noneMatch(key -> key.contains(":job:") || key.contains(":key:") || key.contains(":unique:"));
    }

    private List<String> keys() {
        String tag = fixture.queue.keys().tag();
        return fixture.queues.redis().keys(tag.replace("{", "\\{").replace("}", "\\}") + "*").stream()
                .toList();
    }

    private static NewJob job(String id) {
        return NewJob.of("work", "{}").withId(id);
    }

    private static Settlement bury(Taken taken) {
        return Settlement.failed(
                lease(taken), new Outcome.Bury(DeathReason.PERMANENT), new IllegalStateException("it failed"));
    }
}
