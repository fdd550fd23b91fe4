package dev.baton.redis;

import static dev.baton.redis.QueueFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All that each way to settle leaves in Redis: one job with an ordering key and a unique id, and one that waits behind. */
class KeyspaceSettleIT {
    private static final Map<String, String> TAKEN = Map.of(
            ":job:a", "0 0 T 0 0|k|u//n/{}",
            ":job:b", "0 0 T 0 3|k|//n/{}",
            ":key:k", "[a, b]",
            ":blocked", "[b=T]",
            ":unique:u", "a",
            ":leased", "[a#w.1=T+15000]",
            ":session:w", "1//a expires");

    private final QueueFixture fixture = new QueueFixture();
    private final Exchange worker = fixture.worker();
    private Taken a = new Taken("", "", "");

    @BeforeEach
    void take() {
        NewJob job = NewJob.of("n", "{}").orderedBy("k");
        fixture.queue.enqueue(job.withId("a").unique("u"));
        fixture.queue.enqueue(job.withId("b").priority(3));
        a = fixture.takeOne(worker);
        fixture.queues.redis().del(fixture.queue.keys().wake());
        assertThat(Keyspace.readable(fixture)).isEqualTo(TAKEN);
        fixture.pass(Duration.ofMillis(7));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void complete_leaves_nothing_of_the_job_and_its_successor_is_ready() {
        settle("complete", 0, "");
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:b", "0 0 T 0 3|k|//n/{}",
                        ":key:k", "[b]",
                        ":urgent", "[b=" + (QueueFixture.START + 7 - 180_000) + "]",
                        ":session:w", "2// expires",
                        ":totals", "{complete=1}",
                        ":wake", "[1]"));
    }

    @Test
    void retry_counts_both_keeps_the_failure_and_waits_with_the_key() {
        settle("retry", 2_000, "why");
        assertChanged(Map.of(
                ":job:a", "1 1 T T+7 0|k|u/why/n/{}",
                ":delayed", "[a=T+2007]",
                ":totals", "{retry=1}"));
    }

    @Test
    void postpone_counts_a_start_and_waits_with_the_key() {
        settle("postpone", 2_000, "");
        assertChanged(Map.of(
                ":job:a", "1 0 T 0 0|k|u//n/{}",
                ":delayed", "[a=T+2007]",
                ":totals", "{postpone=1}"));
    }

    @Test
    void throttle_counts_a_start_and_holds_the_queue_with_the_job_in_front() {
        settle("throttle", 2_000, "");
        assertChanged(Map.of(
                ":job:a", "1 0 T 0 0|k|u//n/{}",
                ":ready", "[a]",
                ":config", "{hold=T+2007, restarted=0}",
                ":totals", "{throttle=1}"));
    }

    @Test
    void release_puts_the_job_back_unharmed() {
        settle("release", 0, "");
        assertChanged(Map.of(":ready", "[a]", ":totals", "{release=1}", ":wake", "[1]"));
    }

    @Test
    void abandon_counts_a_start_and_puts_the_job_in_front() {
        settle("abandon", 0, "");
        assertChanged(Map.of(
                ":job:a", "1 0 T 0 0|k|u//n/{}",
                ":ready", "[a]",
                ":totals", "{abandon=1}",
                ":wake", "[1]"));
    }

    @Test
    void an_unknown_job_waits_unharmed_with_its_key() {
        settle("unknown", 5_000, "");
        assertChanged(Map.of(":delayed", "[a=T+5007]", ":totals", "{unknown=1}"));
    }

    @Test
    void bury_keeps_the_job_among_the_dead_and_frees_what_it_held() {
        settle("bury", 1, "why");
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:a", "1 1 T T+7 0|k|u/why/n/{}",
                        ":dead", "[a=T+7]",
                        ":job:b", "0 0 T 0 3|k|//n/{}",
                        ":key:k", "[b]",
                        ":urgent", "[b=" + (QueueFixture.START + 7 - 180_000) + "]",
                        ":session:w", "2// expires",
                        ":totals", "{bury=1}",
                        ":wake", "[1]"));
    }

    @Test
    void bury_before_the_start_counts_nothing() {
        settle("bury", 0, "why");
        assertThat(Keyspace.readable(fixture)).containsEntry(":job:a", "0 0 T 0 0|k|u/why/n/{}");
    }

    @Test
    void renew_moves_the_end_of_the_lease_and_nothing_else() {
        settle("renew", 0, "");
        Map<String, String> expected = new TreeMap<>(TAKEN);
        expected.putAll(Map.of(":leased", "[a#w.1=T+15007]", ":session:w", "2// expires"));
        assertThat(Keyspace.readable(fixture)).isEqualTo(expected);
    }

    @Test
    void whatever_is_settled_under_another_token_changes_nothing_but_a_total() {
        a = new Taken("a", "other", a.record());
        for (String verb :
                new String[] {"complete", "retry", "postpone", "throttle", "release", "abandon", "unknown", "bury"}) {
            settle(verb, 1_000, "why");
        }
        settle("renew", 0, "");
        Map<String, String> expected = new TreeMap<>(TAKEN);
        expected.putAll(Map.of(":totals", "{lost=9}", ":session:w", "10/1/ expires"));
        assertThat(Keyspace.readable(fixture)).isEqualTo(expected);
    }

    private void settle(String verb, long number, String failure) {
        fixture.settle(worker, new Settlement(lease(a), verb, number, failure));
    }

    /** The job is not leased any more; its successor is still behind it. */
    private void assertChanged(Map<String, String> changed) {
        Map<String, String> expected = new TreeMap<>(TAKEN);
        expected.remove(":leased");
        expected.put(":session:w", "2// expires");
        expected.putAll(changed);
        assertThat(Keyspace.readable(fixture)).isEqualTo(expected);
    }
}
