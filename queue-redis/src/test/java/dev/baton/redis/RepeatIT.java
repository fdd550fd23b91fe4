package dev.baton.redis;

import static dev.baton.redis.QueueFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.redis.Exchange.Reply;
import dev.baton.redis.Exchange.Request;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An exchange is sent again, because the reply to it was lost, or arrives late. */
class RepeatIT {
    private final QueueFixture fixture = new QueueFixture();
    private final Exchange worker = fixture.worker();
    private final Exchange other = fixture.worker();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_repeat_after_a_lost_reply_gets_the_same_answer_and_changes_nothing_more() {
        fixture.enqueue("a", "b", "c", "d");
        Taken a = fixture.takeOne(worker);
        Request request = worker.request(List.of(Settlement.complete(lease(a))), 2);
        Reply lost = worker.send(request);
        QueueCounts after = fixture.queue.counts();

        Reply repeated = worker.send(request);
        assertThat(repeated.held()).isEqualTo(lost.held()).containsExactly(true);
        assertThat(repeated.taken()).isEqualTo(lost.taken());
        assertThat(QueueFixture.ids(repeated.taken())).containsExactly("b", "c");
        assertThat(fixture.queue.counts()).isEqualTo(after);
    }

    @Test
    void a_repeat_of_a_refused_settlement_is_refused_again() {
        fixture.enqueue("a");
        Lease old = lease(fixture.takeOne(worker));
        fixture.pass(QueueFixture.LEASE);
        fixture.takeOne(other);
        Request request = worker.request(List.of(Settlement.complete(old)), 0);
        assertThat(worker.send(request).held()).containsExactly(false);
        assertThat(worker.send(request).held()).containsExactly(false);
        assertThat(fixture.queue.counts().totals().lost()).isEqualTo(1);
    }

    @Test
    void a_repeat_that_comes_after_the_leases_ended_brings_no_job_that_somebody_else_has() {
        fixture.enqueue("a", "b");
        Request request = worker.request(List.of(), 2);
        assertThat(worker.send(request).taken()).hasSize(2);
        fixture.pass(QueueFixture.LEASE);
        fixture.takeOne(other);
        assertThat(worker.send(request).taken()).isEmpty();
    }

    @Test
    void a_request_that_arrives_after_a_later_one_takes_nothing() {
        fixture.enqueue("a", "b");
        Request delayedInTheNetwork = worker.request(List.of(), 1);
        fixture.take(worker, 1);
        assertThat(worker.send(delayedInTheNetwork).taken()).isEmpty();
        assertThat(fixture.queue.counts().ready()).isEqualTo(1);
    }

    @Test
    void the_leases_of_a_request_that_was_repeated_count_from_the_first_time_it_was_sent() {
        Reply reply = new Reply(10_000, -1, List.of(), List.of(), List.of());
        LeaseEnd end = LeaseEnd.of(reply, 7_000_000, Duration.ofSeconds(2).toNanos(), Duration.ofSeconds(15));
        assertThat(end.nanoTime()).isEqualTo(7_000_000 + Duration.ofSeconds(15).toNanos());
        assertThat(end.at()).isEqualTo(Instant.ofEpochMilli(10_000 + 13_000));
    }
}
