package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.FailureRules;
import dev.baton.failure.RetryPolicy;
import dev.baton.failure.ThrottledException;
import dev.baton.job.Job;
import dev.baton.job.JobContext;
import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Reply;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a worker holds beside the jobs that run, on threads that the test drives by hand. */
class TakenAheadIT {
    private final QueueFixture fixture = new QueueFixture();
    private final ByHand threads = new ByHand();
    private final Slots slots = new Slots(1, threads);
    private final Attempts attempts = QueueFixture.attempts(slots);
    private final Handlers handlers = new Handlers(
            "payments",
            Map.of("work", new Handlers.Named(this::handle, null)),
            RetryPolicy.DEFAULT,
            FailureRules.DEFAULT,
            attempts);
    private final Demand demand = attempts.demand();
    private final List<String> begun = new ArrayList<>();
    private final AtomicBoolean refuses = new AtomicBoolean();
    private final Conversation.Worker running = new Conversation.Worker() {
        @Override
        public void start(Taken taken, LeaseEnd leaseEnd) {
            handlers.start(taken, leaseEnd);
        }

        @Override
        public void buried() {}
    };
    private final Conversation conversation = new Conversation(fixture.worker(), attempts, QueueFixture.LEASE, running);
    private final ExchangePass pass = new ExchangePass(
            conversation, attempts, slots, new Prefetch(1), QueueFixture.LEASE, new ExchangePass.Worker() {
                @Override
                public void hungry() {}

                @Override
                public void busy() {}
            });

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void what_was_taken_ahead_and_waits_for_too_long_goes_back_in_its_order() {
        takeAhead();
        String first = slots.first(1).get(0).job().id();
        await().until(() -> {
            pass.run();
            return slots.waiting() <= 1 && !attempts.hasEnds();
        });
        assertThat(slots.first(1)).extracting(attempt -> attempt.job().id()).containsExactly(first);
        assertThat(fixture.queue.counts().leased()).isEqualTo(1);
        Taken next = fixture.takeOne(fixture.worker());
        assertThat(number(next.id())).isEqualTo(number(first) + 1);
        assertThat(JobRecord.parse(next.id(), next.record()).head().starts()).isZero();
    }

    @Test
    void nothing_is_taken_ahead_while_the_queue_counts_starts_or_running_jobs() {
        takeAhead();
        threads.runAll();
        pass.run();
        threads.runAll();
        fixture.queue.settings().concurrency(100);
        pass.run();
        assertThat(slots.waiting()).isEqualTo(1);
        threads.runAll();
        fixture.queue.settings().unlimitedConcurrency();
        fixture.queue.settings().limit(1_000, Duration.ofHours(1));
        pass.run();
        assertThat(slots.waiting()).isEqualTo(1);
    }

    @Test
    void a_stop_hands_back_first_what_waits_for_a_thread_and_does_not_report_it_as_begun() {
        fixture.enqueue("a");
        RedisWorker worker = RedisWorker.builder(fixture.queue)
                .handle("work", job -> {})
                .executor(threads)
                .start();
        await().until(() -> fixture.queue.counts().leased() == 1);
        StopReport report = worker.stop(Duration.ofMillis(10));
        assertThat(report.finished()).isZero();
        assertThat(report.handedBack()).isEmpty();
        assertThat(fixture.queue.counts().ready()).isEqualTo(1);
        assertThat(fixture.record("a").head().starts()).isZero();
    }

    @Test
    void what_waits_at_a_stop_and_what_still_arrives_go_back_in_the_order_of_the_queue() {
        takeAhead();
        String first = slots.first(1).get(0).job().id();
        Demand.Share underWay = askForMore();
        attempts.startNoMore();
        assertThat(attempts.hasEnds()).as("some are still to come").isFalse();
        arrive(underWay);
        threads.runAll();
        assertThat(attempts.running()).isZero();
        tellAll();
        assertThat(fixture.queue.counts().leased()).isZero();
        assertThat(number(fixture.takeOne(fixture.worker()).id())).isEqualTo(number(first));
        assertThat(number(fixture.takeOne(fixture.worker()).id())).isEqualTo(number(first) + 1);
    }

    @Test
    void nothing_that_arrives_after_a_throttle_begins_and_the_throttled_job_stays_in_front() {
        takeAhead();
        refuses.set(true);
        String throttled = slots.first(1).get(0).job().id();
        Demand.Share underWay = askForMore();
        begun.clear();
        threads.runAll();
        assertThat(begun).containsExactly(throttled);
        assertThat(attempts.hasEnds()).as("some are still to come").isFalse();
        assertThat(demand.free()).isZero();
        arrive(underWay);
        threads.runAll();
        assertThat(begun).containsExactly(throttled);
        tellAll();
        assertThat(demand.free()).as("the queue knows: it goes on").isEqualTo(1);
        assertThat(fixture.queue.counts().leased()).isZero();
        fixture.pass(Duration.ofSeconds(1));
        assertThat(fixture.takeOne(fixture.worker()).id()).isEqualTo(throttled);
        fixture.pass(Duration.ofSeconds(1));
        assertThat(number(fixture.takeOne(fixture.worker()).id())).isEqualTo(number(throttled) + 1);
    }

    /** Another conversation has asked for jobs, and has no answer yet. */
    private Demand.Share askForMore() {
        demand.ahead(slots.waiting() + 3);
        Demand.Share share = demand.next();
        assertThat(share.total()).isPositive();
        return share;
    }

    private void arrive(Demand.Share share) {
        Exchange worker = fixture.worker();
        Reply reply = worker.send(worker.request(List.of(), share.free(), share.ahead()));
        assertThat(reply.taken()).isNotEmpty();
        reply.taken()
                .forEach(taken -> handlers.start(taken, LeaseEnd.of(reply, System.nanoTime(), 0, QueueFixture.LEASE)));
        attempts.exchanged(share);
    }

    private void tellAll() {
        while (attempts.hasEnds()) {
            conversation.exchange(List::of);
        }
    }

    @Test
    void what_another_conversation_brings_is_asked_for_once_and_wakes_the_first_which_renews_it() {
        AtomicInteger woken = new AtomicInteger();
        Conversation other = new Conversation(fixture.worker(), attempts, QueueFixture.LEASE, running);
        AtomicInteger more = new AtomicInteger();
        ExtraPass second = new ExtraPass(other, woken::incrementAndGet, more::incrementAndGet);
        assertThat(second.run()).isPositive();
        assertThat(woken).as("the first is to wait for a hint: a slot is free").hasValue(1);
        Demand.Share all = demand.next();
        assertThat(second.run()).isPositive();
        assertThat(woken).as("another one asks for it").hasValue(1);

        fixture.queue.enqueue(NewJob.of("work", "{}").withId("later").after(Duration.ofHours(1)));
        assertThat(second.run()).isPositive();
        assertThat(woken).as("what is due is known to the first").hasValue(2);
        fixture.queue.admin().remove("later");
        demand.answered(all);
        woken.set(0);

        fixture.enqueueMany(500);
        Demand.Share asked = demand.next();
        assertThat(asked.total()).isEqualTo(1);
        second.run();
        assertThat(attempts.running()).as("the slot is asked for already").isZero();
        demand.answered(asked);
        second.run();
        assertThat(attempts.running()).isEqualTo(1);
        assertThat(woken).hasValue(1);
        assertThat(demand.free()).isZero();

        demand.ahead(3 * Exchange.LIMIT);
        assertThat(more).hasValue(0);
        assertThat(second.run()).as("full: it goes on").isZero();
        assertThat(more).hasValue(1);
        assertThat(attempts.running()).isEqualTo(1 + Exchange.LIMIT);
        demand.stopTaking();
        assertThat(second.run()).isPositive();
        assertThat(attempts.running()).isEqualTo(1 + Exchange.LIMIT);
    }

    private void handle(Job job, JobContext context) {
        begun.add(job.id());
        if (refuses.get()) {
            throw new ThrottledException(Duration.ofSeconds(1), "quota");
        }
    }

    /** Quick jobs, until the worker takes some ahead. */
    private void takeAhead() {
        fixture.enqueueMany(5_000);
        await().until(() -> {
            pass.run();
            if (slots.waiting() > 2) {
                return true;
            }
            threads.runAll();
            return false;
        });
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring("job-".length()));
    }
}
