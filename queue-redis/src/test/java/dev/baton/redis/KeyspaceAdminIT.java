package dev.baton.redis;

import static dev.baton.redis.QueueFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.job.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** All that the scripts leave in Redis which deal with jobs by hand, or forget the dead. */
class KeyspaceAdminIT {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final QueueFixture fixture = new QueueFixture();
    private final QueueAdmin admin = fixture.queue.admin();
    private final Exchange worker = fixture.worker();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void remove_takes_the_job_out_of_its_place_and_passes_its_key_on() {
        fixture.queue.enqueue(List.of(
                job("urgent").priority(1).orderedBy("k").unique("u"),
                job("next").orderedBy("k"),
                job("last").orderedBy("k"),
                job("late").after(SECOND).unique("v")));
        fixture.queues.redis().del(fixture.queue.keys().wake());
        admin.remove("last");
        admin.remove("urgent");
        admin.remove("late");
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:next", "0 0 T 0 0|k|//n/{}",
                        ":key:k", "[next]",
                        ":ready", "[next]",
                        ":wake", "[1]"));
    }

    @Test
    void remove_leaves_a_mark_where_the_id_cannot_be_found_quickly() {
        fixture.enqueue("a", "b");
        admin.remove("a");
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:a", "removed",
                        ":job:b", "0 0 T 0 0||//work/{}",
                        ":ready", "[b, a]",
                        ":totals", "{ghosts=1}",
                        ":wake", "[1]"));
    }

    @Test
    void remove_of_a_blocked_job_leaves_the_head_of_its_key_where_it_is() {
        fixture.queue.enqueue(List.of(job("head").orderedBy("k"), job("blocked").orderedBy("k")));
        admin.remove("blocked");
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:head", "0 0 T 0 0|k|//n/{}",
                        ":key:k", "[head]",
                        ":ready", "[head]",
                        ":wake", "[1]"));
    }

    @Test
    void remove_changes_nothing_if_a_worker_holds_the_job_or_nobody_has_it() {
        fixture.enqueue("a");
        fixture.takeOne(worker);
        Map<String, String> before = Keyspace.readable(fixture);
        admin.remove("a");
        admin.remove("nobody");
        assertThat(Keyspace.readable(fixture)).isEqualTo(before);
    }

    @Test
    void drain_empties_the_places_where_jobs_wait_and_leaves_what_runs() {
        fixture.enqueue("running", "ghost");
        fixture.takeOne(worker);
        admin.remove("ghost");
        fixture.queue.enqueue(List.of(
                job("head").orderedBy("k").unique("u"),
                job("blocked").orderedBy("k"),
                job("urgent").priority(5),
                job("late").after(SECOND).unique("v")));
        admin.drain();
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:running", "0 0 T 0 0||//work/{}",
                        ":leased", "[running#w.1=T+15000]",
                        ":session:w", "1//running expires",
                        ":totals", "{ghosts=0}",
                        ":wake", "[1]"));
    }

    @Test
    void one_drain_removes_no_more_than_it_was_told() {
        fixture.enqueue("a", "b", "c");
        fixture.queue.enqueue(List.of(job("d").priority(1), job("e").priority(1)));
        drain("READY", 2);
        assertThat(Keyspace.readable(fixture)).containsEntry(":ready", "[c]").containsKeys(":job:d", ":job:e");
        drain("READY", 2);
        assertThat(Keyspace.readable(fixture)).containsOnlyKeys(":job:e", ":urgent", ":wake");
        fixture.queue.enqueue(List.of(job("x").after(SECOND), job("y").after(SECOND)));
        drain("DELAYED", 1);
        assertThat(Keyspace.readable(fixture))
                .containsEntry(":delayed", "[y=T+1000]")
                .doesNotContainKey(":job:x");
    }

    @Test
    void run_now_moves_the_due_time_and_leaves_a_hint() {
        fixture.queue.enqueue(job("a").after(SECOND));
        fixture.queues.redis().del(fixture.queue.keys().wake());
        fixture.pass(Duration.ofMillis(1));
        assertThat(admin.runNow("a")).isTrue();
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(":job:a", "0 0 T 0 0||//n/{}", ":delayed", "[a=T+1]", ":wake", "[1]"));
    }

    @Test
    void retry_gives_a_dead_job_a_fresh_budget() {
        bury("a");
        fixture.pass(Duration.ofMillis(1));
        assertThat(admin.retry("a")).isTrue();
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:a", "0 0 T 0 0||/why/work/{}",
                        ":delayed", "[a=T+1]",
                        ":session:w", "2// expires",
                        ":totals", "{bury=1}",
                        ":wake", "[1]"));
    }

    @Test
    void neither_changes_a_job_in_another_state() {
        bury("dead");
        fixture.queue.enqueue(List.of(
                job("late").after(SECOND),
                job("head").orderedBy("k"),
                job("blocked").orderedBy("k"),
                job("urgent").priority(1)));
        Map<String, String> before = Keyspace.readable(fixture);
        fixture.pass(Duration.ofMillis(1));
        for (String id : List.of("late", "head", "blocked", "urgent", "nobody")) {
            assertThat(admin.retry(id)).as(id).isFalse();
        }
        for (String id : List.of("dead", "head", "blocked", "urgent", "nobody")) {
            assertThat(admin.runNow(id)).as(id).isFalse();
        }
        assertThat(Keyspace.readable(fixture)).isEqualTo(before);
    }

    @Test
    void forget_drops_the_dead_that_were_stored_and_only_as_they_died() {
        bury("a");
        bury("b");
        bury("again");
        fixture.enqueue("alive");
        forget("a", 0, "again", -1, "alive", 0, "nobody", 0);
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":dead", "[again=T, b=T]",
                        ":job:again", "1 1 T T 0||/why/work/{}",
                        ":job:b", "1 1 T T 0||/why/work/{}",
                        ":job:alive", "0 0 T 0 0||//work/{}",
                        ":ready", "[alive]",
                        ":session:w", "6// expires",
                        ":totals", "{bury=3}",
                        ":wake", "[1]"));
    }

    private void bury(String id) {
        fixture.enqueue(id);
        fixture.settle(worker, new Settlement(lease(fixture.takeOne(worker)), "bury", 1, "why"));
    }

    private void drain(String state, int most) {
        call(Script.DRAIN, fixture.queue.keys().places(), Long.toString(fixture.now.get()), state, "" + most);
    }

    /** Pairs of an id and a time of death, counted from the start. */
    private void forget(Object... pairs) {
        String[] words = new String[pairs.length];
        for (int i = 0; i < pairs.length; i += 2) {
            words[i] = (String) pairs[i];
            words[i + 1] = Long.toString(QueueFixture.START + (int) pairs[i + 1]);
        }
        call(Script.FORGET, List.of(fixture.queue.keys().dead()), "", words);
    }

    private void call(Script script, List<String> keys, String now, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of(now, fixture.queue.keys().tag()));
        arguments.addAll(List.of(more));
        script.call(fixture.queues.redis(), keys, arguments);
    }

    private static NewJob job(String id) {
        return NewJob.of("n", "{}").withId(id);
    }
}
