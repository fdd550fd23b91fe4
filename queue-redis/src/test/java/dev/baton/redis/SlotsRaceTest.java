package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.failure.FailureRules;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The one moment of a slot that cannot be driven by hand: it has looked for the last time, and still seems to be at work. */
class SlotsRaceTest {
    private static final int ATTEMPTS = 100_000;
    private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();

    private final AtomicInteger ended = new AtomicInteger();

    @Test
    void an_attempt_that_comes_while_the_slot_goes_to_sleep_is_run() {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            Slots slots = new Slots(1, one);
            Attempts attempts = new Attempts(new Listeners(List.of()), slots, ended::incrementAndGet);
            for (int i = 0; i < ATTEMPTS; i++) {
                attempts.start(attempt("job-" + i, attempts));
                assertThat(awaitEnd(i + 1)).as("attempt %d", i).isTrue();
                // A little later each time, so that one of the next comes in exactly that moment.
                for (int spin = i % 64; spin > 0; spin--) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            one.shutdownNow();
        }
    }

    private boolean awaitEnd(int number) {
        long deadline = System.nanoTime() + LONGEST_NANOS;
        while (ended.get() < number) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private static Attempt attempt(String id, Attempts attempts) {
        Job job = new Job("q", id, "work", "{}", Map.of(), Instant.EPOCH, 1, 1);
        LeaseEnd end = new LeaseEnd(
                Instant.EPOCH, System.nanoTime() + Duration.ofHours(1).toNanos());
        return new Attempt(
                new Lease(id, "t", "", ""),
                job,
                new Attempt.Work((j, context) -> {}, RetryPolicy.DEFAULT, FailureRules.DEFAULT),
                attempts,
                end);
    }
}
