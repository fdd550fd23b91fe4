package dev.baton.internal;

import static java.util.Objects.requireNonNull;

/** What a queue, a job name, an id or a prefix may be: any Unicode but control characters, and not too long. */
public final class Names {
    private static final int LONGEST = 200;

    private Names() {}

    /**
     * Checks a name.
     *
     * @param field how the message calls it, such as {@code NewJob.id}
     * @return the name
     * @throws IllegalArgumentException naming the field, the fault and the bound
     */
    public static String check(String field, String name) {
        if (requireNonNull(name, field).isBlank()) {
            throw new IllegalArgumentException(field + " is blank; give it a name");
        }
        if (name.length() > LONGEST) {
            throw new IllegalArgumentException(
                    field + " has " + name.length() + " characters; at most " + LONGEST + " are allowed");
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                throw new IllegalArgumentException(field + " has a control character; remove it");
            }
        }
        long bytes = Utf8.length(name);
        if (bytes < 0) {
            // Outside of Java all of them are the same question mark.
            throw new IllegalArgumentException(field + " has half a surrogate pair at index " + ~bytes + "; remove it");
        }
        return name;
    }
}
