package dev.baton.failure;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before an attempt is repeated. A pure function of the attempt and of a source of randomness. */
@FunctionalInterface
public interface Backoff {
    /**
     * How long to wait after this many failures.
     *
     * @param failedAttempts how many attempts have failed so far; at least 1
     * @param random where jitter comes from
     */
    Duration delay(int failedAttempts, RandomGenerator random);

    /**
     * Doubles from {@code first} up to {@code cap}, with jitter in the upper half: for a ceiling of 8 s the delay lies
     * between 4 and 8 s, evenly. So jobs that failed together do not come back together, and none comes back much too
     * early.
     *
     * @throws IllegalArgumentException if {@code first} is shorter than 1 ms or {@code cap} shorter than {@code first}
     */
    static Backoff exponential(Duration first, Duration cap) {
        long base = first.toMillis();
        long most = cap.toMillis();
        if (base < 1) {
            throw new IllegalArgumentException("first is " + first + "; it must be at least PT0.001S");
        }
        if (most < base) {
            throw new IllegalArgumentException("cap is " + cap + "; it must be at least first, which is " + first);
        }
        return (failedAttempts, random) -> {
            int doublings = Math.max(0, failedAttempts - 1);
            // Compared before shifting: base << doublings would overflow long before the cap is reached.
            long ceiling = doublings >= Long.numberOfLeadingZeros(base) - 1 ? most : Math.min(most, base << doublings);
            long half = ceiling / 2;
            return Duration.ofMillis(ceiling - half + random.nextLong(half + 1));
        };
    }
}
