package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.NewJob;
import dev.baton.redis.Journal.Entry;
import dev.baton.redis.WorkerInstance.Settings;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scenario Q10. */
@Timeout(120)
class OlderVersionIT {
    private final Instances instances = new Instances();
    private final RedisJobQueue queue = instances.queue;
    private final Journal journal = instances.journal;

    @AfterEach
    void close() {
        instances.close();
    }

    @Test
    void a_job_whose_only_capable_worker_crashed_outlives_older_versions_with_a_smaller_budget() throws Exception {
        RetryPolicy once = new RetryPolicy(1, 1, Backoff.fixed(Duration.ofMillis(10)));
        Settings capable = Settings.named("new").handles("new-work").lease(Duration.ofSeconds(1));
        instances.start(capable);
        queue.enqueue(NewJob.of("new-work", "hold:60000,ok").withId("a"));
        await().atMost(Instances.PATIENCE)
                .until(() -> journal.entries("began", "new").size() == 1);
        instances.start(Settings.named("old").policy(once));
        instances.kill("new");

        // Twice, so that it comes back and not only goes.
        await().atMost(Instances.PATIENCE)
                .until(() -> queue.counts().totals().unknown() >= 2
                        || queue.counts().totals().buried() > 0);
        assertThat(queue.counts().totals().buried()).isZero();
        assertThat(queue.counts().pending()).isEqualTo(1);
        queue.enqueue(NewJob.of("work", "ok").withId("b"));
        await().atMost(Instances.PATIENCE)
                .until(() -> journal.entries("ok", "old").size() == 1);

        instances.start(
                new Settings("newer", "new-work", capable.slots(), capable.lease(), capable.grace(), capable.policy()));
        await().atMost(Instances.PATIENCE).until(() -> queue.counts().totals().completed() == 2);
        assertThat(journal.entries("began").stream().filter(entry -> entry.job().equals("a")))
                .as("the crash was a start, the older version was none")
                .extracting(Entry::start)
                .containsExactly(1, 2);
        assertThat(queue.counts().pending()).isZero();
    }
}
