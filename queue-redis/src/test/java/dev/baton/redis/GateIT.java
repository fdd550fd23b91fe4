package dev.baton.redis;

import static dev.baton.redis.QueueFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.failure.Outcome;
import dev.baton.redis.Exchange.Reply;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GateIT {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final QueueFixture fixture = new QueueFixture();
    private final Exchange worker = fixture.worker();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_paused_queue_starts_nothing_and_settles_what_runs() {
        fixture.enqueue("a", "b");
        Taken running = fixture.takeOne(worker);
        fixture.queue.settings().pause();
        assertThat(fixture.take(worker, 10)).isEmpty();
        assertThat(fixture.settle(worker, Settlement.complete(lease(running)))).isTrue();
        fixture.queue.settings().resume();
        assertThat(fixture.take(worker, 10)).hasSize(1);
    }

    @Test
    void a_resumed_queue_wakes_a_worker() {
        fixture.queue.settings().pause();
        fixture.queues.redis().del(fixture.queue.keys().wake());
        fixture.queue.settings().resume();
        assertThat(fixture.queues.redis().llen(fixture.queue.keys().wake())).isEqualTo(1);
    }

    @Test
    void no_more_jobs_run_at_once_than_the_queue_allows() {
        fixture.queue.settings().concurrency(3);
        fixture.enqueueMany(10);
        List<Taken> running = fixture.take(worker, 10);
        assertThat(running).hasSize(3);
        assertThat(fixture.take(fixture.worker(), 10)).isEmpty();
        Reply reply = worker.send(worker.request(List.of(Settlement.complete(lease(running.get(0)))), 10));
        assertThat(reply.taken()).hasSize(1);
        fixture.queue.settings().unlimitedConcurrency();
        assertThat(fixture.take(worker, 10)).hasSize(6);
    }

    @Test
    void a_slot_that_one_worker_frees_wakes_another_if_it_does_not_want_it() {
        fixture.queue.settings().concurrency(1);
        fixture.enqueueMany(2);
        Taken running = fixture.takeOne(worker);
        fixture.queues.redis().del(fixture.queue.keys().wake());
        fixture.settle(worker, Settlement.complete(lease(running)));
        assertThat(fixture.queues.redis().llen(fixture.queue.keys().wake())).isEqualTo(1);
    }

    @Test
    void no_window_however_placed_has_more_starts_than_the_limit() {
        fixture.queue.settings().limit(10, SECOND);
        fixture.enqueueMany(2_000);
        Random random = new Random(11);
        List<Long> starts = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            int taken = fixture.take(worker, 1 + random.nextInt(20)).size();
            for (int n = 0; n < taken; n++) {
                starts.add(fixture.now.get());
            }
            fixture.pass(Duration.ofMillis(random.nextInt(120)));
        }
        for (int i = 10; i < starts.size(); i++) {
            assertThat(starts.get(i) - starts.get(i - 10)).isGreaterThan(1_000);
        }
        long seconds = (starts.get(starts.size() - 1) - starts.get(0)) / 1_000;
        assertThat(starts.size()).as("it never stalls").isGreaterThan((int) (seconds * 9));
    }

    @Test
    void a_limited_queue_says_when_it_may_go_on() {
        fixture.queue.settings().limit(2, SECOND);
        fixture.enqueueMany(5);
        fixture.take(worker, 1);
        fixture.pass(Duration.ofMillis(300));
        Reply full = worker.send(worker.request(List.of(), 10));
        assertThat(full.taken()).hasSize(1);
        assertThat(full.nextDueMs()).isEqualTo(701);
        fixture.pass(Duration.ofMillis(700));
        assertThat(fixture.take(worker, 10)).isEmpty();
        fixture.pass(Duration.ofMillis(1));
        assertThat(fixture.take(worker, 10)).hasSize(1);
        fixture.queue.settings().unlimited();
        assertThat(fixture.take(worker, 10)).hasSize(2);
    }

    @Test
    void after_a_hold_the_queue_starts_one_by_one_and_after_a_second_at_full_speed() {
        fixture.enqueueMany(300);
        Taken first = fixture.takeOne(worker);
        Outcome throttled = new Outcome.Throttle(SECOND);
        fixture.settle(worker, Settlement.failed(lease(first), throttled, new IllegalStateException("quota")));
        assertThat(fixture.take(worker, 100)).isEmpty();
        fixture.pass(SECOND);
        Reply again = worker.send(worker.request(List.of(), 100));
        assertThat(again.taken()).extracting(Taken::id).containsExactly("job-0");
        assertThat(again.nextDueMs()).isEqualTo(25);
        fixture.pass(Duration.ofMillis(25));
        assertThat(fixture.take(worker, 100)).hasSize(1);
        fixture.pass(Duration.ofMillis(100));
        assertThat(fixture.take(worker, 100)).hasSize(4);
        fixture.pass(SECOND);
        assertThat(fixture.take(worker, 100)).hasSize(100);
    }

    @Test
    void finished_jobs_are_kept_by_number_and_age_on_request() {
        fixture.queue.settings().keepCompleted(3, Duration.ofMinutes(1));
        fixture.enqueueMany(5);
        for (Taken taken : fixture.take(worker, 5)) {
            fixture.pass(Duration.ofMillis(1));
            fixture.settle(worker, Settlement.complete(lease(taken)));
        }
        assertThat(fixture.queue.counts().kept()).isEqualTo(3);
        assertThat(fixture.queue.counts().pending()).isZero();
        assertThat(fixture.record("job-4").payload()).isEqualTo("{}");
        fixture.pass(Duration.ofMinutes(1));
        fixture.take(worker, 1);
        assertThat(fixture.queue.counts().kept()).isZero();
        assertThat(fixture.queues.redis().exists(fixture.queue.keys().job("job-4")))
                .isFalse();
    }

    @Test
    void a_kept_job_is_not_alive_so_its_id_may_be_used_again() {
        fixture.queue.settings().keepCompleted(3, Duration.ofMinutes(1));
        fixture.enqueue("a");
        fixture.settle(worker, Settlement.complete(lease(fixture.takeOne(worker))));
        fixture.enqueue("a");
        assertThat(fixture.queue.counts().kept()).isZero();
        assertThat(fixture.takeOne(worker).id()).isEqualTo("a");
        fixture.queue.settings().keepNone();
    }

    @Test
    void what_was_kept_vanishes_once_nothing_is_to_be_kept() {
        fixture.queue.settings().keepCompleted(10, Duration.ofMinutes(1));
        fixture.enqueue("a", "b");
        for (Taken taken : fixture.take(worker, 2)) {
            fixture.settle(worker, Settlement.complete(lease(taken)));
        }
        fixture.queue.settings().keepNone();
        fixture.take(worker, 1);
        assertThat(fixture.queue.counts().kept()).isZero();
    }

    @Test
    void a_bad_setting_is_refused_with_its_bound() {
        QueueSettings settings = fixture.queue.settings();
        assertThatThrownBy(() -> settings.concurrency(0)).hasMessage("concurrency is 0; it must be at least 1");
        assertThatThrownBy(() -> settings.limit(0, SECOND)).hasMessage("limit is 0; it must be at least 1");
        assertThatThrownBy(() -> settings.limit(10_001, SECOND)).hasMessageContaining("at most 10000");
        assertThatThrownBy(() -> settings.limit(1, Duration.ZERO))
                .hasMessage("per is PT0S; it must be between PT0.001S and PT8760H");
        assertThatThrownBy(() -> settings.limit(1, Duration.ofDays(366)))
                .hasMessage("per is PT8784H; it must be between PT0.001S and PT8760H");
        assertThatThrownBy(() -> settings.keepCompleted(1, Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageContaining("age is ");
        assertThatThrownBy(() -> settings.keepCompleted(0, SECOND)).hasMessageContaining("at least 1");
    }
}
