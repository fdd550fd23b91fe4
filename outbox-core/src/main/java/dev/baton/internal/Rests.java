package dev.baton.internal;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a loop rests after failures: it doubles with each, and half of it is random, so that many instances do not come
 * back in step. By default from 150 ms to 2 s: at most four passes fail in a second, and the first of a relay may need two
 * connections.
 *
 * @param first at most so long after the first failure
 * @param longest at most so long after any number of them
 */
public record Rests(Duration first, Duration longest) {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** From 150 ms to 2 s. */
    public static final Rests DEFAULT = new Rests(Duration.ofMillis(150), Duration.ofSeconds(2));

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if the first is not between 100 ms and the longest, or that is longer than ten minutes
     */
    public Rests {
        Bounds.between("the longest rest after a failure", longest, SHORTEST, LONGEST);
        Bounds.between("the first rest after a failure", first, SHORTEST, longest);
    }

    /**
     * One rest.
     *
     * @param before how many passes in a row had failed before this one
     */
    Duration after(int before, RandomGenerator random) {
        long ceiling = Math.min(longest.toMillis(), first.toMillis() << Math.min(before, 10));
        return Duration.ofMillis(ceiling / 2 + random.nextLong(ceiling / 2 + 1));
    }
}
