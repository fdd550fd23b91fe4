package dev.baton.failure;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** {@link Backoff#exponential}. */
record ExponentialBackoff(Duration first, Duration cap) implements Backoff {
    static final String NAME = "exponential";

    ExponentialBackoff {
        // Compared as durations: the longest ones have no number of milliseconds.
        if (first.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("first is " + first + "; it must be at least PT0.001S");
        }
        ListedBackoff.checkLength("cap", cap);
        if (cap.compareTo(first) < 0) {
            throw new IllegalArgumentException("cap is " + cap + "; it must be at least first, which is " + first);
        }
    }

    @Override
    public Duration delay(int failedAttempts, RandomGenerator random) {
        long ceiling = ceiling(failedAttempts);
        long half = ceiling / 2;
        return Duration.ofMillis(ceiling - half + random.nextLong(half + 1));
    }

    @Override
    public Duration average(int failedAttempts) {
        long ceiling = ceiling(failedAttempts);
        return Duration.ofMillis(ceiling - ceiling / 4);
    }

    @Override
    public Duration longest(int failedAttempts) {
        return Duration.ofMillis(ceiling(failedAttempts));
    }

    private long ceiling(int failedAttempts) {
        long base = first.toMillis();
        long most = cap.toMillis();
        int doublings = Math.max(0, failedAttempts - 1);
        // Compared before shifting: base << doublings would overflow long before the cap is reached.
        return doublings >= Long.numberOfLeadingZeros(base) - 1 ? most : Math.min(most, base << doublings);
    }

    @Override
    public String toText() {
        return NAME + ":" + first.toMillis() + ":" + cap.toMillis();
    }
}
