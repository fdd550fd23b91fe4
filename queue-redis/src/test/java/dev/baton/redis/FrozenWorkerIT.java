package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Reply;
import dev.baton.redis.Exchange.Taken;
import dev.baton.redis.Instances.Frozen;
import dev.baton.redis.Journal.Entry;
import dev.baton.redis.WorkerInstance.Settings;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Scenario Q4. */
@Timeout(120)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no SIGSTOP")
class FrozenWorkerIT {
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final int JOBS = 20_000;
    /** With one slot, two of them at least were taken ahead. */
    private static final int HELD = 3;

    private final Instances instances = new Instances();
    private final RedisJobQueue queue = instances.queue;
    private final Journal journal = instances.journal;
    private final Exchange another = new Exchange(queue, LEASE);

    @AfterEach
    void close() {
        instances.close();
    }

    @Test
    void a_worker_that_stood_still_for_twice_its_lease_is_told_that_it_lost_the_job_and_the_others_result_stands()
            throws Exception {
        instances.start(worker("A"));
        queue.enqueue(NewJob.of("work", "hold:60000").withId("a"));
        await().atMost(Instances.PATIENCE)
                .until(() -> journal.entries("began", "A").size() == 1);
        instances.start(worker("B"));
        try (Frozen frozen = instances.freeze("A")) {
            awaitTwiceTheLease();
            await().atMost(Instances.PATIENCE)
                    .until(() -> journal.entries("began", "B").size() == 1);
            assertThat(frozen).isNotNull();
        }

        // Once at the renewal, whereupon the handler returns as if all were well, and once at the settle.
        await().atMost(Instances.PATIENCE)
                .until(() -> journal.entries("lost", "A").size() == 2);
        assertThat(journal.entries("told", "A")).hasSize(1);
        assertThat(queue.counts().totals().lost()).isGreaterThanOrEqualTo(2);
        assertThat(queue.counts().totals().completed()).isZero();
        assertThat(queue.counts().leased()).as("B still holds the job").isEqualTo(1);

        journal.go();
        await().atMost(Instances.PATIENCE).until(() -> queue.counts().totals().completed() == 1);
        assertThat(journal.entries("ok")).extracting(Entry::process).containsExactly("B");
        assertThat(journal.entries("began")).extracting(Entry::start).containsExactly(1, 2);
        assertThat(journal.entries("lost", "B")).isEmpty();
        assertThat(queue.counts().pending()).isZero();
    }

    @Test
    void what_it_had_taken_ahead_of_its_slots_is_not_started_once_its_lease_has_ended() throws Exception {
        // One slot, so that one handler at most is under way when time stands still.
        instances.start(worker("A").slots(1));
        for (int from = 0; from < JOBS; from += 1_000) {
            queue.enqueue(IntStream.range(from, from + 1_000)
                    .mapToObj(i -> NewJob.of("work", "ok").withId("job-" + i))
                    .toList());
        }
        // How much it has taken ahead differs from moment to moment.
        List<String> held = List.of();
        for (int i = 0; i < 10 && held.size() < HELD; i++) {
            long more = queue.counts().totals().completed() + 500;
            await().atMost(Instances.PATIENCE)
                    .until(() -> queue.counts().totals().completed() > more);
            held = freezeWhileAnotherWorks();
        }
        assertThat(held).as("it held more than it ran, or this shows nothing").hasSizeGreaterThanOrEqualTo(HELD);
        await().atMost(Instances.PATIENCE).until(() -> queue.counts().totals().completed() == JOBS);

        // Only the one that had looked at its lease when time stood still: its handler had as good as begun.
        assertThat(begunAgainByA()).filteredOn(held::contains).hasSizeLessThanOrEqualTo(1);
    }

    /** Another worker gets all that it held, and answers what that was. */
    private List<String> freezeWhileAnotherWorks() throws Exception {
        try (Frozen frozen = instances.freeze("A")) {
            awaitTwiceTheLease();
            Reply reply = another.send(another.request(List.of(), Exchange.LIMIT));
            assertThat(frozen).isNotNull();
            for (Taken taken : reply.taken()) {
                journal.write("began", "B", taken.id());
            }
            another.send(another.request(
                    reply.taken().stream()
                            .map(taken -> Settlement.complete(QueueFixture.lease(taken)))
                            .toList(),
                    0));
            return reply.reclaimed();
        }
    }

    private List<String> begunAgainByA() {
        Set<String> begun = new HashSet<>();
        return journal.entries("began").stream()
                .filter(entry -> !begun.add(entry.job()) && entry.process().equals("A"))
                .map(Entry::job)
                .toList();
    }

    private static Settings worker(String name) {
        return Settings.named(name).slots(4).lease(LEASE);
    }

    /** The time itself is what is tested. */
    private static void awaitTwiceTheLease() {
        await().pollDelay(LEASE.multipliedBy(2)).atMost(Instances.PATIENCE).until(() -> true);
    }
}
