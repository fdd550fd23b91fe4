package dev.baton.jdbi;

import dev.baton.internal.JsonSyntax;
import dev.baton.internal.Utf8;
import dev.baton.job.NewJob;
import dev.baton.outbox.Event;

/**
 * What a payload may be, found out before PostgreSQL is asked: an error of a statement would end the caller's transaction.
 */
final class Payload {
    private static final int ESCAPE = "\\u0000".length();

    private Payload() {}

    /**
     * Checks the payload.
     *
     * @throws IllegalArgumentException naming the event, the fault and where it is, but no data
     */
    static void check(Event event) {
        String text = event.payload();
        long bytes = Utf8.length(text);
        if (bytes < 0) {
            throw wrong(event, "has half a surrogate pair at index " + ~bytes);
        }
        if (bytes > NewJob.LARGEST_PAYLOAD) {
            throw wrong(
                    event,
                    "has " + bytes + " bytes; at most " + NewJob.LARGEST_PAYLOAD
                            + " are allowed: store the data elsewhere and send its id");
        }
        String fault = JsonSyntax.fault(text);
        if (fault != null) {
            throw wrong(event, fault);
        }
        checkEscapes(event);
    }

    /** What JSON can say and jsonb cannot hold. The text is JSON, so the escapes are whole. */
    private static void checkEscapes(Event event) {
        String text = event.payload();
        int next;
        for (int i = text.indexOf('\\'); i >= 0; i = text.indexOf('\\', next)) {
            next = i + 2;
            if (text.charAt(i + 1) == 'u') {
                next = i + ESCAPE;
                char unit = unit(text, i);
                if (unit == 0) {
                    throw wrong(event, "has a \\u0000 at index " + i + ", which jsonb cannot hold; leave it out");
                }
                if (Character.isSurrogate(unit)) {
                    boolean whole = Character.isHighSurrogate(unit)
                            && text.startsWith("\\u", next)
                            && Character.isLowSurrogate(unit(text, next));
                    if (!whole) {
                        throw wrong(event, "has half a surrogate pair at index " + i);
                    }
                    next += ESCAPE;
                }
            }
        }
    }

    private static char unit(String text, int escape) {
        return (char) Integer.parseInt(text, escape + 2, escape + ESCAPE, 16);
    }

    private static IllegalArgumentException wrong(Event event, String fault) {
        return new IllegalArgumentException("the payload of " + event + " " + fault);
    }
}
