package dev.baton.redis;

import static dev.baton.redis.QueueFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.failure.DeathReason;
import dev.baton.failure.Outcome;
import dev.baton.redis.Exchange.Reply;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExchangeIT {
    private final Exception failure = new IllegalStateException("it failed");

    private final QueueFixture fixture = new QueueFixture();
    private final Exchange worker = fixture.worker();
    private final Exchange other = fixture.worker();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_completed_job_leaves_nothing_behind_but_the_totals() {
        fixture.enqueue("a");
        assertThat(fixture.settle(worker, Settlement.complete(lease(fixture.takeOne(worker)))))
                .isTrue();
        assertThat(fixture.queue.counts().pending()).isZero();
        assertThat(fixture.queue.counts().totals().completed()).isEqualTo(1);
        assertThat(fixture.queues.redis().exists(fixture.queue.keys().job("a"))).isFalse();
    }

    @Test
    void settling_and_taking_happen_in_one_round_trip() {
        fixture.enqueue("a", "b", "c");
        Taken a = fixture.takeOne(worker);
        Reply reply = worker.send(worker.request(List.of(Settlement.complete(lease(a))), 2));
        assertThat(reply.held()).containsExactly(true);
        assertThat(QueueFixture.ids(reply.taken())).containsExactly("b", "c");
    }

    @Test
    void a_leased_job_is_handed_to_nobody_else() {
        fixture.enqueue("a");
        fixture.takeOne(worker);
        assertThat(fixture.take(other, 10)).isEmpty();
    }

    @Test
    void a_retried_job_uses_up_an_attempt_and_comes_back_at_its_time() {
        fixture.enqueue("a");
        Taken taken = fixture.takeOne(worker);
        fixture.settle(worker, Settlement.failed(lease(taken), new Outcome.Retry(Duration.ofSeconds(2)), failure));

        fixture.pass(Duration.ofMillis(1_999));
        assertThat(fixture.take(worker, 1)).isEmpty();
        fixture.pass(Duration.ofMillis(1));
        JobRecord job = JobRecord.parse("a", fixture.takeOne(worker).record());
        assertThat(job.head().starts()).isEqualTo(1);
        assertThat(job.head().attempts()).isEqualTo(1);
        assertThat(job.head().firstFailureAt()).isEqualTo(fixture.now.get() - 2_000);
        assertThat(LastFailure.parse(job.lastFailure()).message()).isEqualTo("it failed");
    }

    @Test
    void a_postponed_job_uses_up_a_start_but_no_attempt() {
        fixture.enqueue("a");
        Taken taken = fixture.takeOne(worker);
        fixture.settle(worker, Settlement.failed(lease(taken), new Outcome.Postpone(Duration.ofSeconds(2)), failure));
        assertThat(fixture.take(worker, 1)).isEmpty();
        fixture.pass(Duration.ofSeconds(2));
        JobRecord job = JobRecord.parse("a", fixture.takeOne(worker).record());
        assertThat(job.head().starts()).isEqualTo(1);
        assertThat(job.head().attempts()).isZero();
    }

    @Test
    void a_throttled_job_holds_the_whole_queue_and_comes_first_afterwards() {
        fixture.enqueue("a", "b");
        Taken taken = fixture.takeOne(worker);
        fixture.settle(worker, Settlement.failed(lease(taken), new Outcome.Throttle(Duration.ofSeconds(3)), failure));

        fixture.pass(Duration.ofMillis(2_999));
        Reply held = other.send(other.request(List.of(), 10));
        assertThat(held.taken()).isEmpty();
        assertThat(held.nextDueMs()).isEqualTo(1);
        fixture.pass(Duration.ofMillis(1));
        assertThat(QueueFixture.ids(fixture.take(other, 10))).containsExactly("a");
        assertThat(fixture.record("a").head().attempts()).isZero();
    }

    @Test
    void a_shorter_throttle_does_not_end_a_longer_one() {
        fixture.enqueue("a", "b");
        List<Taken> both = fixture.take(worker, 2);
        fixture.settle(
                worker, Settlement.failed(lease(both.get(0)), new Outcome.Throttle(Duration.ofSeconds(9)), failure));
        fixture.settle(
                worker, Settlement.failed(lease(both.get(1)), new Outcome.Throttle(Duration.ofSeconds(1)), failure));
        fixture.pass(Duration.ofSeconds(8));
        assertThat(fixture.take(worker, 2)).isEmpty();
    }

    @Test
    void a_released_job_is_unharmed_and_next() {
        fixture.enqueue("a", "b");
        fixture.settle(worker, Settlement.release(lease(fixture.takeOne(worker)), Duration.ZERO));
        Taken again = fixture.takeOne(other);
        assertThat(again.id()).isEqualTo("a");
        assertThat(JobRecord.parse("a", again.record()).head().starts()).isZero();
    }

    @Test
    void a_buried_job_is_dead_and_runs_no_more() {
        fixture.enqueue("a");
        Taken taken = fixture.takeOne(worker);
        fixture.settle(worker, Settlement.failed(lease(taken), new Outcome.Bury(DeathReason.PERMANENT), failure));
        fixture.pass(Duration.ofDays(1));
        assertThat(fixture.take(worker, 1)).isEmpty();
        assertThat(fixture.queue.counts().dead()).isEqualTo(1);
        assertThat(LastFailure.parse(fixture.record("a").lastFailure()).reason())
                .isEqualTo(DeathReason.PERMANENT);
    }

    @Test
    void an_expired_lease_is_reclaimed_and_costs_a_start_and_an_attempt() {
        fixture.enqueue("a");
        fixture.takeOne(worker);
        fixture.pass(QueueFixture.LEASE.minusMillis(1));
        assertThat(fixture.take(other, 1)).isEmpty();
        fixture.pass(Duration.ofMillis(1));
        JobRecord job = JobRecord.parse("a", fixture.takeOne(other).record());
        assertThat(job.head().starts()).isEqualTo(1);
        assertThat(job.head().attempts()).isEqualTo(1);
        assertThat(fixture.queue.counts().totals().reclaimed()).isEqualTo(1);
    }

    @Test
    void a_renewed_lease_is_not_reclaimed() {
        fixture.enqueue("a");
        Taken taken = fixture.takeOne(worker);
        fixture.pass(QueueFixture.LEASE.dividedBy(2));
        assertThat(fixture.settle(worker, Settlement.renew(lease(taken)))).isTrue();
        fixture.pass(QueueFixture.LEASE.minusMillis(1));
        assertThat(fixture.take(other, 1)).isEmpty();
        assertThat(fixture.settle(worker, Settlement.complete(lease(taken)))).isTrue();
    }

    @Test
    void a_worker_whose_lease_ended_can_change_nothing_in_any_way() {
        fixture.enqueue("a");
        Lease old = lease(fixture.takeOne(worker));
        fixture.pass(QueueFixture.LEASE);
        Taken current = fixture.takeOne(other);
        String before = fixture.queues.redis().get(fixture.queue.keys().job("a"));

        for (Settlement late : List.of(
                Settlement.complete(old),
                Settlement.renew(old),
                Settlement.release(old, Duration.ZERO),
                Settlement.abandoned(old),
                Settlement.failed(old, new Outcome.Retry(Duration.ZERO), failure),
                Settlement.failed(old, new Outcome.Postpone(Duration.ZERO), failure),
                Settlement.failed(old, new Outcome.Throttle(Duration.ofHours(1)), failure),
                Settlement.failed(old, new Outcome.Bury(DeathReason.PERMANENT), failure))) {
            assertThat(fixture.settle(worker, late)).as(late.verb()).isFalse();
        }

        assertThat(fixture.queues.redis().get(fixture.queue.keys().job("a"))).isEqualTo(before);
        assertThat(fixture.queue.counts())
                .satisfies(counts -> assertThat(counts.leased()).isEqualTo(1))
                .satisfies(counts -> assertThat(counts.pending()).isEqualTo(1))
                .satisfies(counts -> assertThat(counts.totals().lost()).isEqualTo(8));
        assertThat(fixture.settle(other, Settlement.complete(lease(current)))).isTrue();
    }

    @Test
    void each_verdict_belongs_to_its_settlement_though_plain_completions_are_sent_first() {
        Exchange worker = fixture.worker();
        fixture.enqueue("a", "b", "c", "d");
        List<Lease> leases =
                fixture.take(worker, 4).stream().map(QueueFixture::lease).toList();
        Lease lost = new Lease("c", "other", "", "");
        List<Settlement> settlements = List.of(
                Settlement.release(leases.get(0), Duration.ZERO),
                Settlement.complete(lost),
                Settlement.complete(leases.get(1)),
                Settlement.renew(lost),
                Settlement.complete(leases.get(3)));
        Exchange.Request request = worker.request(settlements, 0);
        Reply reply = worker.send(request);
        assertThat(request.settlements()).containsExactlyInAnyOrderElementsOf(settlements);
        for (int i = 0; i < settlements.size(); i++) {
            Settlement settlement = request.settlements().get(i);
            assertThat(reply.held().get(i))
                    .as("%s", settlement)
                    .isEqualTo(!settlement.lease().equals(lost));
        }
        assertThat(fixture.settle(worker, Settlement.complete(leases.get(2)))).isTrue();
        assertThat(lease(fixture.takeOne(worker)).id()).isEqualTo("a");
    }

    @Test
    void no_more_is_taken_than_fits_into_one_script() {
        fixture.enqueueMany(450);
        assertThat(fixture.take(worker, 450)).hasSize(200);
    }

    @Test
    void more_expired_leases_than_one_script_handles_are_reclaimed_by_the_next_ones() {
        fixture.enqueueMany(450);
        for (int i = 0; i < 3; i++) {
            fixture.take(worker, 200);
        }
        fixture.pass(QueueFixture.LEASE);
        int again = 0;
        for (int i = 0; i < 3; i++) {
            again += fixture.take(other, 200).size();
        }
        assertThat(again).isEqualTo(450);
        assertThat(fixture.queue.counts().totals().reclaimed()).isEqualTo(450);
    }

    @Test
    void a_delayed_job_becomes_ready_at_its_time_in_the_order_of_times() {
        fixture.queue.enqueue(List.of(
                dev.baton.job.NewJob.of("work", "{}").withId("later").after(Duration.ofSeconds(2)),
                dev.baton.job.NewJob.of("work", "{}").withId("sooner").after(Duration.ofSeconds(1)),
                dev.baton.job.NewJob.of("work", "{}").withId("past").after(Duration.ofSeconds(-1))));
        Reply now = worker.send(worker.request(List.of(), 10));
        assertThat(QueueFixture.ids(now.taken())).containsExactly("past");
        assertThat(now.nextDueMs()).isEqualTo(1_000);
        fixture.pass(Duration.ofSeconds(2));
        assertThat(QueueFixture.ids(fixture.take(worker, 10))).containsExactly("sooner", "later");
    }

    @Test
    void an_empty_queue_has_nothing_due() {
        assertThat(worker.send(worker.request(List.of(), 10)).nextDueMs()).isEqualTo(-1);
    }

    @Test
    void a_job_that_was_removed_from_under_its_id_is_passed_over() {
        fixture.enqueue("a", "b");
        fixture.queues.redis().del(fixture.queue.keys().job("a"));
        assertThat(QueueFixture.ids(fixture.take(worker, 10))).containsExactly("b");
        assertThat(fixture.queue.counts().leased()).isEqualTo(1);
    }

    @Test
    void an_id_may_hold_the_character_that_separates_it_from_its_token() {
        fixture.enqueue("a#b#c");
        fixture.takeOne(worker);
        fixture.pass(QueueFixture.LEASE);
        assertThat(fixture.takeOne(other).id()).isEqualTo("a#b#c");
    }

    @Test
    void leases_are_never_kept_in_the_form_that_redis_searches_from_one_end_to_the_other() {
        fixture.enqueue("a");
        fixture.takeOne(worker);
        assertThat(fixture.queues.redis().objectEncoding(fixture.queue.keys().leased()))
                .isEqualTo("skiplist");
    }

    @Test
    void what_one_worker_leaves_over_wakes_another() {
        fixture.enqueue("a", "b");
        String wake = fixture.queue.keys().wake();
        fixture.queues.redis().del(wake);
        fixture.take(worker, 1);
        assertThat(fixture.queues.redis().llen(wake)).isEqualTo(1);
        fixture.queues.redis().del(wake);
        fixture.take(worker, 1);
        assertThat(fixture.queues.redis().llen(wake)).isZero();
    }
}
