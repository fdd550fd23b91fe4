package dev.baton.idempotency;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Bad input gets an error that names it and its bound, before PostgreSQL sees it. */
final class Bounds {
    private static final int LONGEST = 500;

    /** An entry of a B-tree takes 2,704 bytes: two of these fit. */
    private static final int LARGEST = 1_300;

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
        int half = halfSurrogate(name);
        if (half >= 0) {
            throw new IllegalArgumentException(
                    field + " has half a surrogate pair at index " + half + ", which PostgreSQL cannot store");
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LARGEST) {
            throw new IllegalArgumentException(
                    field + " has " + bytes + " bytes in UTF-8; at most " + LARGEST + " are allowed");
        }
        return name;
    }

    /** Where it is; or -1. A driver would send a question mark, and two messages would be one. */
    private static int halfSurrogate(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (Character.isSurrogate(name.charAt(i))) {
                if (Character.charCount(name.codePointAt(i)) == 1) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    /**
     * Why this answer of an effect cannot be stored; or null.
     *
     * @param result null by a mistake in the effect
     */
    static @Nullable String unstorable(@Nullable String result) {
        if (result == null) {
            return "it is null";
        }
        int zero = result.indexOf('\0');
        int half = halfSurrogate(result);
        return zero >= 0
                ? "it has a null character at index " + zero
                : half >= 0 ? "it has half a surrogate pair at index " + half : null;
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
