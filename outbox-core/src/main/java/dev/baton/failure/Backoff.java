package dev.baton.failure;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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
     * The delay after this many failures on average. Exact for the three kinds below; for code of one's own the mean of
     * 1,000 draws.
     */
    default Duration average(int failedAttempts) {
        return SampledBackoff.of(this, failedAttempts).average();
    }

    /** The longest delay after this many failures. Exact for the three kinds below; else the longest of 1,000 draws. */
    default Duration longest(int failedAttempts) {
        return SampledBackoff.of(this, failedAttempts).longest();
    }

    /** A text from which {@link #parse} makes the same backoff; null if it is code of one's own, which has none. */
    default @Nullable String toText() {
        return null;
    }

    /**
     * Doubles from {@code first} up to {@code cap}, with jitter in the upper half: for a ceiling of 8 s the delay lies
     * between 4 and 8 s, evenly. So jobs that failed together do not come back together, and none comes back much too
     * early.
     *
     * @throws IllegalArgumentException if {@code first} is shorter than 1 ms or {@code cap} shorter than {@code first}
     */
    static Backoff exponential(Duration first, Duration cap) {
        return new ExponentialBackoff(first, cap);
    }

    /**
     * The same wait each time.
     *
     * @throws IllegalArgumentException if it is negative
     */
    static Backoff fixed(Duration delay) {
        return delays(List.of(delay));
    }

    /**
     * The waits in turn, such as 5, 15 and 60 minutes; the last one is used for all further failures.
     *
     * @throws IllegalArgumentException if there is none, or one is negative
     */
    static Backoff delays(List<Duration> delays) {
        return new ListedBackoff(delays);
    }

    /**
     * The backoff that has this text.
     *
     * @throws IllegalArgumentException if no backoff has it
     */
    static Backoff parse(String text) {
        String[] words = text.split(":", -1);
        List<Duration> durations = List.of(words).subList(1, words.length).stream()
                .map(ms -> Duration.ofMillis(Long.parseLong(ms)))
                .toList();
        if (words[0].equals(ExponentialBackoff.NAME) && durations.size() == 2) {
            return exponential(durations.get(0), durations.get(1));
        } else if (words[0].equals(ListedBackoff.NAME)) {
            return delays(durations);
        }
        throw new IllegalArgumentException("no backoff has the text " + text);
    }
}
