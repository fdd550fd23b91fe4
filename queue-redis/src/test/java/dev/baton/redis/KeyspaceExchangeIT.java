package dev.baton.redis;

import static dev.baton.redis.QueueFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Request;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** All that an exchange leaves in Redis besides settling: take, promote, reclaim, retain, and the repeat. */
class KeyspaceExchangeIT {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final QueueFixture fixture = new QueueFixture();
    private final Exchange worker = fixture.worker();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void take_moves_ids_from_ready_to_leased_and_wakes_for_what_is_left() {
        fixture.enqueue("a", "b", "c");
        fixture.take(worker, 2);
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:a", "0 0 T 0 0||//work/{}",
                        ":job:b", "0 0 T 0 0||//work/{}",
                        ":job:c", "0 0 T 0 0||//work/{}",
                        ":ready", "[c]",
                        ":leased", "[a#w.1=T+15000, b#w.1=T+15000]",
                        ":session:w", "1//a/b expires",
                        ":wake", "[1]"));
    }

    @Test
    void a_take_under_a_limit_remembers_the_last_starts_and_no_more() {
        fixture.queue.settings().limit(2, SECOND);
        fixture.enqueue("a", "b", "c");
        fixture.take(worker, 1);
        fixture.pass(Duration.ofMillis(1));
        fixture.take(worker, 5);
        fixture.pass(SECOND);
        fixture.take(worker, 5);
        assertThat(Keyspace.readable(fixture))
                .containsEntry(":starts", "[T+1001, T+1] expires")
                .containsEntry(":leased", "[a#w.1=T+15000, b#w.2=T+15001, c#w.3=T+16001]")
                .doesNotContainKey(":ready");
    }

    @Test
    void a_take_after_a_hold_counts_the_starts_of_the_restart() {
        fixture.enqueue("a", "b");
        fixture.settle(worker, new Settlement(lease(fixture.takeOne(worker)), "throttle", 1_000, ""));
        fixture.pass(SECOND.plusMillis(25));
        fixture.take(worker, 5);
        assertThat(Keyspace.readable(fixture))
                .containsEntry(":config", "{hold=T+1000, restarted=2}")
                .containsEntry(":leased", "[a#w.3=T+16025, b#w.3=T+16025]");
    }

    @Test
    void during_a_hold_nothing_is_due_before_its_end() {
        fixture.enqueue("a", "b");
        fixture.settle(worker, new Settlement(lease(fixture.takeOne(worker)), "throttle", 1_000, ""));
        fixture.pass(Duration.ofMillis(300));
        assertThat(worker.send(worker.request(List.of(), 5)).nextDueMs()).isEqualTo(700);
    }

    @Test
    void the_first_failure_stays_the_first_and_the_last_is_kept() {
        fixture.enqueue("a");
        for (String why : List.of("one", "two")) {
            fixture.pass(Duration.ofMillis(1));
            fixture.settle(worker, new Settlement(lease(fixture.takeOne(worker)), "retry", 0, why));
        }
        assertThat(Keyspace.readable(fixture)).containsEntry(":job:a", "2 2 T T+1 0||/two/work/{}");
    }

    @Test
    void take_leaves_nothing_of_a_removed_job() {
        fixture.enqueue("a", "b");
        fixture.queue.admin().remove("a");
        fixture.take(worker, 5);
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:b", "0 0 T 0 0||//work/{}",
                        ":leased", "[b#w.1=T+15000]",
                        ":session:w", "1//b expires",
                        ":totals", "{ghosts=0}",
                        ":wake", "[1]"));
    }

    @Test
    void promote_moves_what_is_due_to_its_place_the_first_in_front() {
        NewJob job = NewJob.of("n", "{}");
        fixture.queue.enqueue(List.of(
                job.withId("third").after(SECOND.plusMillis(2)),
                job.withId("first").after(SECOND).orderedBy("k"),
                job.withId("second").after(SECOND.plusMillis(1)).orderedBy("k"),
                job.withId("later").after(SECOND.plusMillis(3))));
        fixture.pass(SECOND.plusMillis(2));
        fixture.take(worker, 0);
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:first", "0 0 T 0 0|k|//n/{}",
                        ":job:second", "0 0 T 0 0|k|//n/{}",
                        ":job:third", "0 0 T 0 0||//n/{}",
                        ":job:later", "0 0 T 0 0||//n/{}",
                        ":ready", "[third, first]",
                        ":key:k", "[first, second]",
                        ":blocked", "[second=T+1002]",
                        ":delayed", "[later=T+1003]",
                        ":session:w", "1// expires",
                        ":wake", "[1]"));
    }

    @Test
    void reclaim_puts_expired_jobs_in_front_in_their_order_and_counts_both() {
        fixture.enqueue("a", "b", "c");
        fixture.takeOne(worker);
        fixture.pass(Duration.ofMillis(1));
        fixture.takeOne(worker);
        fixture.pass(QueueFixture.LEASE);
        fixture.take(worker, 0);
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:a", "1 1 T T+15001 0||//work/{}",
                        ":job:b", "1 1 T T+15001 0||//work/{}",
                        ":job:c", "0 0 T 0 0||//work/{}",
                        ":ready", "[c, b, a]",
                        ":session:w", "3// expires",
                        ":totals", "{reclaim=2}",
                        ":wake", "[1]"));
    }

    @Test
    void retain_drops_the_oldest_over_the_number_and_all_over_the_age() {
        fixture.queue.settings().keepCompleted(2, SECOND);
        fixture.enqueue("a", "b", "c");
        for (Taken taken : fixture.take(worker, 3)) {
            fixture.settle(worker, Settlement.complete(lease(taken)));
            fixture.pass(Duration.ofMillis(1));
        }
        assertThat(Keyspace.readable(fixture)).containsEntry(":completed", "[b=T+1, c=T+2]");
        fixture.pass(SECOND.minusMillis(2));
        fixture.take(worker, 0);
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":config", "{keep=2, keepMs=1000}",
                        ":job:c", "0 0 T 0 0||//work/{}",
                        ":completed", "[c=T+2]",
                        ":session:w", "5// expires",
                        ":totals", "{complete=3}",
                        ":wake", "[1]"));
    }

    @Test
    void a_repeat_changes_nothing_and_neither_does_a_request_that_was_overtaken() {
        fixture.enqueue("a", "b", "c");
        Request overtaken = worker.request(List.of(), 1);
        Lease lease = lease(fixture.takeOne(worker));
        Request request = worker.request(List.of(Settlement.complete(lease), Settlement.complete(lease)), 1);
        worker.send(request);
        Map<String, String> before = Keyspace.readable(fixture);
        assertThat(before).containsEntry(":session:w", "3//b expires").containsEntry(":totals", "{complete=2}");
        fixture.pass(SECOND);
        worker.send(request);
        worker.send(overtaken);
        assertThat(Keyspace.readable(fixture)).isEqualTo(before);
    }

    @Test
    void each_step_handles_200_and_leaves_the_rest_to_the_next_exchange() {
        fixture.queue.settings().keepCompleted(250, SECOND);
        finish(450);
        assertThat(fixture.queue.counts().kept()).as("by number").isEqualTo(250);
        fixture.queue.enqueue(many("late-", NewJob.of("n", "{}").after(SECOND)));
        fixture.queue.enqueue(many("leased-", NewJob.of("n", "{}")));
        fixture.take(worker, 200);
        fixture.take(worker, 50);
        fixture.pass(QueueFixture.LEASE);

        fixture.take(worker, 0);
        QueueCounts first = fixture.queue.counts();
        assertThat(first.kept()).as("by age").isEqualTo(50);
        assertThat(first.delayed()).isEqualTo(50);
        assertThat(first.leased()).isEqualTo(50);
        fixture.take(worker, 0);
        assertThat(fixture.queue.counts().kept()).isZero();
        assertThat(fixture.queue.counts().ready()).isEqualTo(500);
    }

    private static List<NewJob> many(String prefix, NewJob job) {
        return IntStream.range(0, 250).mapToObj(i -> job.withId(prefix + i)).toList();
    }

    @Test
    void a_request_that_asks_for_more_than_one_script_handles_gets_200() {
        fixture.enqueueMany(450);
        Request request = worker.request(List.of(), 200);
        List<String> arguments = new ArrayList<>(request.arguments());
        arguments.set(5, "450");
        assertThat(worker.send(new Request(List.of(), 450, request.token(), arguments))
                        .taken())
                .hasSize(200);
    }

    @Test
    void a_smaller_number_to_keep_is_reached_in_steps_of_200() {
        fixture.queue.settings().keepCompleted(1_000, SECOND);
        finish(450);
        fixture.queue.settings().keepNone();
        fixture.take(worker, 0);
        assertThat(fixture.queue.counts().kept()).isEqualTo(250);
    }

    /** Each exchange may drop only 200 of what is over the number. */
    private void finish(int jobs) {
        fixture.enqueueMany(jobs);
        for (int left = jobs; left > 0; left -= 150) {
            List<Settlement> ends = fixture.take(worker, Math.min(left, 150)).stream()
                    .map(taken -> Settlement.complete(lease(taken)))
                    .toList();
            worker.send(worker.request(ends, 0));
        }
    }
}
