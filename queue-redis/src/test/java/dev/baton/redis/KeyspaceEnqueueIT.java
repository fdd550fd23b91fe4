package dev.baton.redis;

import static dev.baton.redis.QueueFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.job.JobState;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;

/** All that the scripts leave in Redis which bring jobs in, change settings, or only look. */
class KeyspaceEnqueueIT {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final QueueFixture fixture = new QueueFixture();
    private final RedisJobQueue queue = fixture.queue;
    private final Exchange worker = fixture.worker();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void enqueue_writes_the_record_and_one_place_per_job_and_a_hint() {
        assertThat(Keyspace.readable(fixture)).isEmpty();
        queue.enqueue(List.of(
                NewJob.of("n", "{\"a\": 1}\nb").withId("plain").withHeaders(Map.of("h", "v")),
                job("urgent").priority(2),
                job("head").orderedBy("k").unique("u"),
                job("blocked").orderedBy("k"),
                job("late").after(SECOND).orderedBy("k")));
        assertThat(Keyspace.readable(fixture))
                .containsOnly(
                        Map.entry(":job:plain", "0 0 T 0 0||//n|{\"h\":\"v\"}/{\"a\": 1}/b"),
                        Map.entry(":job:urgent", "0 0 T 0 2||//n/{}"),
                        Map.entry(":job:head", "0 0 T 0 0|k|u//n/{}"),
                        Map.entry(":job:blocked", "0 0 T 0 0|k|//n/{}"),
                        Map.entry(":job:late", "0 0 T 0 0|k|//n/{}"),
                        Map.entry(":ready", "[head, plain]"),
                        Map.entry(":urgent", "[urgent=" + (QueueFixture.START - 120_000) + "]"),
                        Map.entry(":key:k", "[head, blocked]"),
                        Map.entry(":blocked", "[blocked=T]"),
                        Map.entry(":delayed", "[late=T+1000]"),
                        Map.entry(":unique:u", "head"),
                        Map.entry(":wake", "[1]"));
    }

    @Test
    void a_duplicate_changes_nothing() {
        queue.enqueue(job("a").unique("u"));
        queue.enqueue(job("late").after(SECOND));
        fixture.queues.redis().del(queue.keys().wake());
        Map<String, String> before = Keyspace.readable(fixture);
        fixture.pass(SECOND.dividedBy(2));
        queue.enqueue(List.of(job("a").priority(1), job("b").unique("u").orderedBy("k"), job("late")));
        assertThat(Keyspace.readable(fixture)).isEqualTo(before);
    }

    @Test
    void the_id_of_a_removed_job_is_used_again_and_stands_in_the_list_once() {
        fixture.enqueue("a", "b");
        queue.admin().remove("a");
        fixture.enqueue("a");
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":job:a", "0 0 T 0 0||//work/{}",
                        ":job:b", "0 0 T 0 0||//work/{}",
                        ":ready", "[a, b]",
                        ":totals", "{ghosts=0}",
                        ":wake", "[1]"));
    }

    @Test
    void the_id_of_a_job_that_is_only_kept_is_used_again_and_is_kept_no_more() {
        queue.settings().keepCompleted(5, SECOND);
        fixture.enqueue("a");
        fixture.settle(worker, Settlement.complete(lease(fixture.takeOne(worker))));
        fixture.pass(Duration.ofMillis(1));
        fixture.enqueue("a");
        assertThat(Keyspace.readable(fixture))
                .isEqualTo(Map.of(
                        ":config", "{keep=5, keepMs=1000}",
                        ":job:a", "0 0 T+1 0 0||//work/{}",
                        ":ready", "[a]",
                        ":session:w", "2// expires",
                        ":totals", "{complete=1}",
                        ":wake", "[1]"));
    }

    @Test
    void configure_changes_the_named_settings_and_leaves_a_hint() {
        queue.settings().limit(5, SECOND);
        queue.settings().pause();
        fixture.queues.redis().del(queue.keys().wake());
        queue.settings().unlimited();
        queue.settings().letOthersPass();
        assertThat(Keyspace.readable(fixture)).isEqualTo(Map.of(":config", "{order=pass, paused=1}", ":wake", "[1]"));
    }

    @Test
    void throttle_holds_the_queue_and_never_shortens_a_hold() {
        queue.settings().throttle(SECOND);
        queue.settings().throttle(SECOND.dividedBy(2));
        assertThat(Keyspace.readable(fixture)).isEqualTo(Map.of(":config", "{hold=T+1000, restarted=0}"));
        assertThatThrownBy(() -> queue.settings().throttle(Duration.ZERO)).hasMessageContaining("throttle is PT0S");
    }

    @Test
    void what_only_looks_changes_nothing() {
        fillEachPlace();
        Map<String, String> before = Keyspace.readable(fixture);
        fixture.pass(Duration.ofDays(1));

        queue.counts();
        for (String id : List.of("ready", "urgent", "late", "blocked", "leased", "dead", "kept", "ghost", "nobody")) {
            queue.admin().find(id);
        }
        for (JobState state : JobState.values()) {
            queue.admin().list(state, 0, 200);
        }
        RedisSchedules schedules = new RedisSchedules(queue);
        assertThat(schedules.find("tick")).isPresent();
        assertThat(schedules.list(0, 200)).hasSize(1);
        assertThat(schedules.due(0, 200).schedules()).hasSize(1);
        fixture.queues
                .redis()
                .eval(
                        Script.DEAD.text(),
                        List.of(queue.keys().dead()),
                        List.of("", queue.keys().tag(), "50", "0"));
        try (Connection connection = fixture.queues.router().open(queue.keys().wake())) {
            new PermissionCheck(connection, queue.keys().tag() + ":probe").problems();
        }
        assertThat(Keyspace.readable(fixture)).isEqualTo(before);
    }

    @Test
    void the_probe_leaves_something_that_the_blpop_after_it_finds_at_once() {
        for (int i = 0; i < 2; i++) {
            Script.PROBE.call(fixture.queues.redis(), List.of(queue.keys().tag() + ":probe"), List.of());
            assertThat(Keyspace.readable(fixture)).isEqualTo(Map.of(":probe", "[a] expires"));
        }
    }

    private void fillEachPlace() {
        queue.settings().keepCompleted(5, Duration.ofDays(1));
        queue.settings().limit(10, Duration.ofDays(1));
        queue.enqueue(List.of(job("kept"), job("dead"), job("leased").unique("u")));
        List<Taken> taken = fixture.take(worker, 3);
        fixture.settle(worker, Settlement.complete(lease(taken.get(0))));
        fixture.settle(worker, new Settlement(lease(taken.get(1)), "bury", 1, "{}"));
        queue.enqueue(List.of(
                job("ghost"),
                job("ready").orderedBy("k"),
                job("blocked").orderedBy("k"),
                job("urgent").priority(1),
                job("late").after(SECOND)));
        queue.admin().remove("ghost");
        queue.schedules().upsert(Schedule.every("tick", SECOND, job("ticked")));
        assertThat(Keyspace.of(fixture))
                .containsKeys(":ready", ":urgent", ":delayed", ":blocked", ":leased", ":dead", ":completed", ":starts");
    }

    private static NewJob job(String id) {
        return NewJob.of("n", "{}").withId(id);
    }
}
