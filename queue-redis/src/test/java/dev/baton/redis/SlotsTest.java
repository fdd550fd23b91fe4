package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.failure.FailureRules;
import dev.baton.failure.RetryPolicy;
import dev.baton.failure.ThrottledException;
import dev.baton.job.ContextualJobHandler;
import dev.baton.job.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Slots, and the attempts that wait for them, on an executor that the test drives by hand. */
class SlotsTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();
    private final List<Integer> woken = new ArrayList<>();
    private boolean refuses;
    private final Slots slots = new Slots(2, task -> {
        if (refuses) {
            throw new RejectedExecutionException("full");
        }
        tasks.add(task);
    });
    private final Attempts attempts = QueueFixture.attempts(slots);

    @Test
    void those_that_wait_run_in_order_and_slots_wake_each_other_one_by_one() {
        for (String id : List.of("a", "b", "c", "d")) {
            start(id, (job, context) -> {
                ran.add(job.id());
                woken.add(tasks.size());
            });
        }
        assertThat(tasks).hasSize(1);
        runAll();
        assertThat(ran).containsExactly("a", "b", "c", "d");
        assertThat(woken).as("the other slot, and no third one").containsExactly(1, 1, 1, 1);
        assertThat(slots.waiting()).isZero();
        assertThat(slots.idle()).isEqualTo(2);
    }

    @Test
    void attempts_that_are_shorter_than_the_wake_up_of_a_thread_are_run_by_one_slot() {
        slots.expect(1_000);
        for (String id : List.of("a", "b", "c", "d")) {
            start(id, (job, context) -> {
                ran.add(job.id());
                woken.add(tasks.size());
            });
        }
        runAll();
        assertThat(ran).hasSize(4);
        assertThat(woken).containsOnly(0);
    }

    @Test
    void a_slot_that_has_ended_is_woken_by_the_next_attempt() {
        for (String id : List.of("a", "b", "c")) {
            start(id, (job, context) -> ran.add(job.id()));
            runAll();
        }
        assertThat(ran).containsExactly("a", "b", "c");
    }

    @Test
    void what_a_refusing_executor_leaves_waits_until_it_takes_it_or_until_it_is_taken_back() {
        refuses = true;
        start("a", (job, context) -> ran.add(job.id()));
        start("b", (job, context) -> ran.add(job.id()));
        assertThat(slots.refused()).isTrue();
        assertThat(slots.waiting()).isEqualTo(2);
        assertThat(slots.takeBack(1))
                .extracting(Attempt::job)
                .extracting(Job::id)
                .containsExactly("b");
        refuses = false;
        assertThat(slots.refused()).isFalse();
        runAll();
        assertThat(ran).containsExactly("a");
    }

    @Test
    void those_that_could_not_run_at_once_are_the_excess_and_the_last_of_them_go_back_first() {
        for (String id : List.of("a", "b", "c", "d")) {
            start(id, (job, context) -> ran.add(job.id()));
        }
        assertThat(slots.excess()).isEqualTo(2);
        assertThat(attempts.giveBack(slots.excess(), Duration.ZERO)).isTrue();
        assertThat(settled()).containsExactly("release d", "release c");
        assertThat(slots.excess()).isZero();
        runAll();
        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void a_throttled_job_gives_back_what_was_taken_ahead_so_that_it_stays_in_front() {
        start("a", (job, context) -> {
            throw new ThrottledException(Duration.ofSeconds(1), "quota");
        });
        start("b", (job, context) -> ran.add(job.id()));
        start("c", (job, context) -> ran.add(job.id()));
        runAll();
        assertThat(settled()).containsExactly("release c", "release b", "throttle a");
        assertThat(ran).isEmpty();
    }

    @Test
    void a_job_whose_lease_ended_while_it_waited_is_not_begun() {
        attempts.start(attempt("late", System.nanoTime(), (job, context) -> ran.add(job.id())));
        start("in-time", (job, context) -> ran.add(job.id()));
        runAll();
        assertThat(ran).containsExactly("in-time");
        assertThat(settled()).containsExactly("release late", "complete in-time");
    }

    @Test
    void a_job_whose_lease_was_lost_while_it_waited_is_not_begun() {
        start("a", (job, context) -> ran.add(job.id()));
        attempts.lost(new Lease("a", "t", "", ""));
        runAll();
        assertThat(ran).isEmpty();
    }

    @Test
    void leases_are_renewed_of_what_runs_and_of_what_only_waits_for_a_thread_but_not_of_the_excess() {
        List<Lease> renewed = new ArrayList<>();
        start("a", (job, context) -> renewed.addAll(attempts.leasesToRenew()));
        for (String id : List.of("b", "c", "d")) {
            start(id, (job, context) -> ran.add(job.id()));
        }
        assertThat(attempts.leasesToRenew()).extracting(Lease::id).containsExactly("a", "b");
        runAll();
        assertThat(renewed).extracting(Lease::id).containsExactly("a", "b");
    }

    private void start(String id, ContextualJobHandler handler) {
        attempts.start(attempt(id, System.nanoTime() + LONG.toNanos(), handler));
    }

    private Attempt attempt(String id, long leaseEnd, ContextualJobHandler handler) {
        Job job = new Job("q", id, "work", "{}", Map.of(), Instant.EPOCH, 1, 1);
        Lease lease = new Lease(id, "t", "", "");
        return new Attempt(
                lease,
                job,
                new Attempt.Work(handler, RetryPolicy.DEFAULT, FailureRules.DEFAULT),
                attempts,
                new LeaseEnd(Instant.EPOCH, leaseEnd));
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private List<String> settled() {
        return attempts.nextSettlements(10).stream()
                .map(settlement -> settlement.verb() + " " + settlement.lease().id())
                .toList();
    }
}
