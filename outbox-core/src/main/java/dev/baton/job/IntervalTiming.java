package dev.baton.job;

import dev.baton.internal.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Every so much time from the anchor. */
record IntervalTiming(Duration interval) implements Timing {
    static final String NAME = "every";

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(3_650);

    IntervalTiming {
        Bounds.between("interval", interval, SHORTEST, LONGEST);
        if (!interval.equals(interval.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException("interval is " + interval + "; it must be of whole milliseconds");
        }
    }

    @Override
    public Instant next(Instant after, Instant anchor) {
        long passed = Math.floorDiv(after.toEpochMilli() - anchor.toEpochMilli(), interval.toMillis());
        return anchor.plus(interval.multipliedBy(passed + 1));
    }

    @Override
    public String toText() {
        return NAME + " " + interval.toMillis();
    }
}
