package dev.baton.internal;

import java.time.Duration;

/** A setting that is out of bounds gets an error that names it, its value and both bounds. */
public final class Bounds {
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

    private static IllegalArgumentException outside(String field, Object value, Object least, Object most) {
        return new IllegalArgumentException(field + " is " + value + "; it must be between " + least + " and " + most);
    }
}
