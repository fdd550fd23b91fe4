package dev.baton.internal;

import java.time.Duration;
import java.time.Instant;

/** A setting that is out of bounds gets an error that names it, its value and both bounds. */
public final class Bounds {
    private static final Instant FIRST_MOMENT = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST_MOMENT = Instant.parse("9999-12-31T23:59:59.999Z");

    private Bounds() {}

    /**
     * Checks a number.
     *
     * @param field how the message calls it, such as {@code batchSize}
     * @return the number
     * @throws IllegalArgumentException if it is below the least or above the most
     */
    public static int between(String field, int value, int least, int most) {
        if (value < least || value > most) {
            throw outside(field, value, least, most);
        }
        return value;
    }

    /** As {@link #between(String, int, int, int)}, for a duration. */
    public static Duration between(String field, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw outside(field, value, least, most);
        }
        return value;
    }

    /**
     * Checks a moment: PostgreSQL and Redis both know those of four-digit years.
     *
     * @return the moment
     * @throws IllegalArgumentException if its year is not between 1 and 9999
     */
    public static Instant moment(String field, Instant value) {
        if (value.isBefore(FIRST_MOMENT) || value.isAfter(LAST_MOMENT)) {
            throw outside(field, value, FIRST_MOMENT, LAST_MOMENT);
        }
        return value;
    }

    private static IllegalArgumentException outside(String field, Object value, Object least, Object most) {
        return new IllegalArgumentException(field + " is " + value + "; it must be between " + least + " and " + most);
    }
}
