package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.failure.FailureRules;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The one moment of a slot that cannot be driven by hand: it has looked for the last time, and still seems to be at work. */
class SlotsRaceTest {
    private static final int ATTEMPTS = 300_000;
    private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();

    private final AtomicInteger begun = new AtomicInteger();
    private final ExecutorService one = Executors.newSingleThreadExecutor();
    private final Slots slots = new Slots(1, one);
    private Attempts attempts = forgetful();

    @AfterEach
    void shutDown() {
        one.shutdownNow();
    }

    @Test
    void an_attempt_that_comes_while_the_slot_goes_to_sleep_is_run() {
        for (int i = 0; i < ATTEMPTS; i++) {
            if (i % 10_000 == 0) {
                attempts = forgetful();
            }
            Attempt next = attempt("job-" + i);
            assertThat(awaitBegun(i)).as("attempt %d", i - 1).isTrue();
            // A little later each time, so that some come in exactly that moment.
            for (int spin = i % 128; spin > 0; spin--) {
                Thread.onSpinWait();
            }
            attempts.start(next);
        }
        assertThat(awaitBegun(ATTEMPTS)).isTrue();
    }

    private boolean awaitBegun(int number) {
        long deadline = System.nanoTime() + LONGEST_NANOS;
        while (begun.get() < number) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    /** Nobody settles here, so the ends would pile up. */
    private Attempts forgetful() {
        return QueueFixture.attempts(slots);
    }

    private Attempt attempt(String id) {
        Job job = new Job("q", id, "work", "{}", Map.of(), Instant.EPOCH, 1, 1);
        LeaseEnd end = new LeaseEnd(
                Instant.EPOCH, System.nanoTime() + Duration.ofHours(1).toNanos());
        return new Attempt(
                new Lease(id, "t", "", ""),
                job,
                new Attempt.Work((j, context) -> begun.incrementAndGet(), RetryPolicy.DEFAULT, FailureRules.DEFAULT),
                attempts,
                end);
    }
}
