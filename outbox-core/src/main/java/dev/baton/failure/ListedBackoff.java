package dev.baton.failure;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** {@link Backoff#fixed} and {@link Backoff#delays}. */
record ListedBackoff(List<Duration> delays) implements Backoff {
    static final String NAME = "delays";
    private static final Duration LONGEST = Duration.ofDays(365);

    ListedBackoff {
        delays = List.copyOf(delays);
        if (delays.isEmpty()) {
            throw new IllegalArgumentException("there are no delays; give at least one");
        }
        for (Duration delay : delays) {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("a delay is " + delay + "; it must not be negative");
            }
            checkLength("a delay", delay);
        }
    }

    static void checkLength(String field, Duration delay) {
        if (delay.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(field + " is " + delay + "; it must be at most " + LONGEST);
        }
    }

    @Override
    public Duration delay(int failedAttempts, RandomGenerator random) {
        return longest(failedAttempts);
    }

    @Override
    public Duration average(int failedAttempts) {
        return longest(failedAttempts);
    }

    @Override
    public Duration longest(int failedAttempts) {
        return delays.get(Math.min(Math.max(failedAttempts, 1), delays.size()) - 1);
    }

    @Override
    public String toText() {
        StringBuilder text = new StringBuilder(NAME);
        delays.forEach(delay -> text.append(':').append(delay.toMillis()));
        return text.toString();
    }
}
