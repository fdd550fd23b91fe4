package dev.baton.failure;

import java.time.Duration;
import java.util.Random;

/** What a backoff that is code of one's own does after so many failures, by trying; the same each time. */
record SampledBackoff(Duration average, Duration longest) {
    private static final int DRAWS = 1_000;

    static SampledBackoff of(Backoff backoff, int failedAttempts) {
        Random random = new Random(DRAWS);
        Duration sum = Duration.ZERO;
        Duration longest = Duration.ZERO;
        for (int i = 0; i < DRAWS; i++) {
            Duration delay = backoff.delay(failedAttempts, random);
            sum = sum.plus(delay);
            longest = delay.compareTo(longest) > 0 ? delay : longest;
        }
        return new SampledBackoff(sum.dividedBy(DRAWS), longest);
    }
}
