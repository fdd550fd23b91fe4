package dev.baton.idempotency;

import java.time.Duration;

/** Bad input gets an error that names it and its bound, before PostgreSQL sees it. */
final class Bounds {
    /** An entry of a B-tree takes 2,700 bytes: two names of the longest characters fit. */
    private static final int LONGEST = 500;

    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private Bounds() {}

    static String name(String field, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(field + " is blank; name "
                    + (field.equals("consumer") ? "who applies the effect" : "the message or request"));
        }
        if (name.length() > LONGEST) {
            throw new IllegalArgumentException(
                    field + " has " + name.length() + " characters; at most " + LONGEST + " are allowed");
        }
        if (name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(field + " has a null character, which PostgreSQL cannot store");
        }
        return name;
    }

    static Duration wait(Duration wait) {
        return between("the wait", wait, Duration.ofMillis(1), LONGEST_WAIT);
    }

    static Duration between(String field, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    field + " is " + value + "; it must be between " + least + " and " + most);
        }
        return value;
    }
}
