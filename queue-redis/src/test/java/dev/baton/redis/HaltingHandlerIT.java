package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.Backoff;
import dev.baton.failure.DeathReason;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.JobState;
import dev.baton.job.NewJob;
import dev.baton.redis.Journal.Entry;
import dev.baton.redis.WorkerInstance.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scenario Q5. */
@Timeout(120)
class HaltingHandlerIT {
    private static final int OTHERS = 300;

    /** More attempts than starts are not allowed, and a start that crashed uses up both. */
    private static final RetryPolicy THREE_STARTS = new RetryPolicy(3, 3, Backoff.fixed(Duration.ofMillis(10)));

    private final Instances instances = new Instances();
    private final RedisJobQueue queue = instances.queue;
    private final Journal journal = instances.journal;
    private int started;

    @AfterEach
    void close() {
        instances.close();
    }

    @Test
    void a_job_that_halts_its_process_every_time_dies_after_three_starts_and_a_retry_gives_it_three_more() {
        restart();
        queue.enqueue(NewJob.of("work", "halt").withId("killer").retry(THREE_STARTS));
        queue.enqueue(IntStream.range(0, OTHERS)
                .mapToObj(i -> NewJob.of("work", "hold:30"))
                .toList());

        awaitWithRestarts(() -> queue.counts().dead() == 1);
        assertThat(killerStarts()).containsExactly(1, 2, 3);
        JobView dead = queue.admin().find("killer").orElseThrow();
        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.starts()).isEqualTo(3);
        assertThat(dead.lastFailure()).contains("3 starts");
        assertThat(reason()).isEqualTo(DeathReason.STARTS);
        awaitWithRestarts(() -> queue.counts().totals().completed() == OTHERS);

        assertThat(queue.admin().retry("killer")).isTrue();
        awaitWithRestarts(() -> killerStarts().size() == 5 && !instances.alive(lastOfKiller()));
        journal.go();
        awaitWithRestarts(() -> queue.counts().totals().completed() == OTHERS + 1);
        assertThat(killerStarts()).containsExactly(1, 2, 3, 1, 2, 3);
        assertThat(queue.counts().totals().buried()).isEqualTo(1);
        assertThat(queue.counts().pending()).isZero();
    }

    /** Its worker is stopped by the hook of the process, and hands it back. */
    @Test
    void a_job_that_exits_its_process_every_time_dies_after_three_starts_too() {
        restart();
        queue.enqueue(NewJob.of("work", "exit").withId("killer").retry(THREE_STARTS));

        awaitWithRestarts(() -> queue.counts().dead() == 1);
        assertThat(killerStarts()).containsExactly(1, 2, 3);
        assertThat(queue.admin().find("killer").orElseThrow().attempts()).isZero();
        assertThat(reason()).isEqualTo(DeathReason.STARTS);
    }

    private List<Integer> killerStarts() {
        return killer().map(Entry::start).toList();
    }

    /** The process in which it began last. */
    private String lastOfKiller() {
        return killer().reduce((before, last) -> last).orElseThrow().process();
    }

    private Stream<Entry> killer() {
        return journal.entries("began").stream().filter(entry -> entry.job().equals("killer"));
    }

    private DeathReason reason() {
        String text = String.valueOf(instances.queues.redis().get(queue.keys().job("killer")));
        return LastFailure.parse(JobRecord.parse("killer", text).lastFailure()).reason();
    }

    /** As whatever watches over the processes of a service does. */
    private void awaitWithRestarts(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            if (!instances.alive("w" + started)) {
                restart();
            }
            return condition.call();
        });
    }

    private void restart() {
        instances.start(Settings.named("w" + ++started)
                .slots(2)
                .lease(Duration.ofSeconds(1))
                .grace(Duration.ofMillis(100)));
    }
}
