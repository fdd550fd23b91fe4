package dev.baton.redis;

import static dev.baton.redis.QueueFixture.ids;
import static dev.baton.redis.QueueFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.failure.DeathReason;
import dev.baton.failure.Outcome;
import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrderingIT {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final QueueFixture fixture = new QueueFixture();
    private final Exchange worker = fixture.worker();
    private final Exception failure = new IllegalStateException("it failed");

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void jobs_of_one_key_never_overlap_and_start_in_the_order_of_enqueueing() {
        enqueue("k", "a", "b", "c");
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            List<Taken> taken = fixture.take(worker, 10);
            assertThat(taken).hasSize(1);
            assertThat(fixture.queue.counts().blocked()).isEqualTo(2 - i);
            order.addAll(ids(taken));
            fixture.settle(worker, Settlement.complete(lease(taken.get(0))));
        }
        assertThat(order).containsExactly("a", "b", "c");
        assertNothingLeft("k");
    }

    @Test
    void keys_do_not_hold_up_each_other_nor_jobs_without_a_key() {
        enqueue("k1", "a1", "b1");
        enqueue("k2", "a2", "b2");
        fixture.enqueue("free");
        assertThat(ids(fixture.take(worker, 10))).containsExactly("a1", "a2", "free");
    }

    @Test
    void with_one_slot_keys_take_turns() {
        enqueue("k1", "a1", "b1");
        enqueue("k2", "a2", "b2");
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Taken taken = fixture.takeOne(worker);
            order.add(taken.id());
            fixture.settle(worker, Settlement.complete(lease(taken)));
        }
        assertThat(order).containsExactly("a1", "a2", "b1", "b2");
    }

    @Test
    void a_job_that_waits_for_its_next_attempt_holds_up_its_successors() {
        enqueue("k", "a", "b");
        fail(fixture.takeOne(worker), new Outcome.Retry(SECOND));
        assertThat(fixture.take(worker, 10)).isEmpty();
        fixture.pass(SECOND);
        Taken again = fixture.takeOne(worker);
        assertThat(again.id()).isEqualTo("a");
        fail(again, new Outcome.Postpone(SECOND));
        assertThat(fixture.take(worker, 10)).isEmpty();
        fixture.pass(SECOND);
        fixture.settle(worker, Settlement.complete(lease(fixture.takeOne(worker))));
        assertThat(ids(fixture.take(worker, 10))).containsExactly("b");
    }

    @Test
    void by_choice_it_lets_the_next_one_pass_and_comes_back_behind_them() {
        fixture.queue.settings().letOthersPass();
        enqueue("k", "a", "b", "c");
        fail(fixture.takeOne(worker), new Outcome.Retry(SECOND));
        Taken next = fixture.takeOne(worker);
        assertThat(next.id()).isEqualTo("b");
        fixture.pass(SECOND);
        assertThat(fixture.take(worker, 10)).isEmpty();
        fixture.settle(worker, Settlement.complete(lease(next)));
        Taken third = fixture.takeOne(worker);
        assertThat(third.id()).isEqualTo("c");
        fixture.settle(worker, Settlement.complete(lease(third)));
        Taken last = fixture.takeOne(worker);
        assertThat(last.id()).isEqualTo("a");
        fixture.settle(worker, Settlement.complete(lease(last)));
        assertNothingLeft("k");
    }

    @Test
    void a_released_or_reclaimed_job_comes_before_its_successors() {
        enqueue("k", "a", "b");
        fixture.settle(worker, Settlement.release(lease(fixture.takeOne(worker)), Duration.ZERO));
        assertThat(fixture.takeOne(worker).id()).isEqualTo("a");
        fixture.pass(QueueFixture.LEASE);
        assertThat(ids(fixture.take(fixture.worker(), 10))).containsExactly("a");
    }

    @Test
    void the_death_of_a_job_passes_its_key_on() {
        enqueue("k", "a", "b");
        fail(fixture.takeOne(worker), new Outcome.Bury(DeathReason.PERMANENT));
        assertThat(ids(fixture.take(worker, 10))).containsExactly("b");
    }

    @Test
    void a_delayed_job_takes_its_place_when_its_time_has_come() {
        fixture.queue.enqueue(
                NewJob.of("work", "{}").withId("late").orderedBy("k").after(SECOND));
        enqueue("k", "a", "b");
        fixture.pass(SECOND);
        Taken first = fixture.takeOne(worker);
        assertThat(first.id()).isEqualTo("a");
        assertThat(fixture.queue.counts().blocked()).isEqualTo(2);
        fixture.settle(worker, Settlement.complete(lease(first)));
        fixture.settle(worker, Settlement.complete(lease(fixture.takeOne(worker))));
        assertThat(ids(fixture.take(worker, 10))).containsExactly("late");
    }

    @Test
    void a_successor_that_vanished_is_passed_over() {
        enqueue("k", "a", "gone", "b");
        fixture.queues.redis().del(fixture.queue.keys().job("gone"));
        fixture.settle(worker, Settlement.complete(lease(fixture.takeOne(worker))));
        assertThat(ids(fixture.take(worker, 10))).containsExactly("b");
    }

    @Test
    void urgent_jobs_come_first_but_the_others_get_every_fourth_place() {
        fixture.enqueueMany(10);
        for (int i = 0; i < 10; i++) {
            fixture.queue.enqueue(NewJob.of("work", "{}").withId("urgent-" + i).priority(5));
        }
        assertThat(ids(fixture.take(worker, 8)))
                .containsExactlyInAnyOrder(
                        "job-0", "job-1", "urgent-0", "urgent-1", "urgent-2", "urgent-3", "urgent-4", "urgent-5");
        List<String> oneByOne = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            oneByOne.add(fixture.takeOne(worker).id());
        }
        assertThat(oneByOne).filteredOn(id -> id.startsWith("job-")).hasSize(1);
    }

    @Test
    void the_others_get_every_fourth_place_though_each_second_exchange_takes_none_or_places_come_in_threes() {
        fixture.enqueueMany(20);
        for (int i = 0; i < 40; i++) {
            fixture.queue.enqueue(NewJob.of("work", "{}").withId("urgent-" + i).priority(5));
        }
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            taken.add(fixture.takeOne(worker).id());
            fixture.take(worker, 0);
        }
        assertThat(taken).filteredOn(id -> id.startsWith("job-")).hasSize(2);
        for (int i = 0; i < 4; i++) {
            taken.addAll(ids(fixture.take(worker, 3)));
        }
        assertThat(taken).filteredOn(id -> id.startsWith("job-")).hasSize(5);
    }

    @Test
    void a_higher_priority_goes_first_unless_the_other_has_waited_for_minutes() {
        fixture.queue.enqueue(NewJob.of("work", "{}").withId("low-old").priority(1));
        fixture.pass(Duration.ofMinutes(9));
        fixture.queue.enqueue(NewJob.of("work", "{}").withId("low-new").priority(1));
        fixture.queue.enqueue(NewJob.of("work", "{}").withId("high").priority(9));
        assertThat(ids(fixture.take(worker, 3))).containsExactly("low-old", "high", "low-new");
    }

    @Test
    void a_priority_is_kept_while_a_job_is_delayed_or_blocked() {
        fixture.queue.enqueue(
                NewJob.of("work", "{}").withId("delayed").priority(3).after(SECOND));
        enqueue("k", "head");
        fixture.queue.enqueue(
                NewJob.of("work", "{}").withId("blocked").priority(9).orderedBy("k"));
        fixture.settle(worker, Settlement.complete(lease(fixture.takeOne(worker))));
        fixture.pass(SECOND);
        fixture.enqueue("plain");
        assertThat(ids(fixture.take(worker, 3))).containsExactly("blocked", "delayed", "plain");
    }

    private void enqueue(String key, String... ids) {
        for (String id : ids) {
            fixture.queue.enqueue(NewJob.of("work", "{}").withId(id).orderedBy(key));
        }
    }

    private void fail(Taken taken, Outcome outcome) {
        assertThat(fixture.settle(worker, Settlement.failed(lease(taken), outcome, failure)))
                .isTrue();
    }

    private void assertNothingLeft(String key) {
        assertThat(fixture.queue.counts().pending()).isZero();
        assertThat(fixture.queues.redis().exists(fixture.queue.keys().orderingKey(key)))
                .isFalse();
    }
}
