package dev.baton.examples.web;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What goes out.
 *
 * @param status of HTTP, or 0: then nothing goes out, and the connection is closed
 * @param body written as JSON, or as it is if it is a text
 * @param headers besides the usual ones
 */
public record Answer(int status, Object body, Map<String, String> headers) {
    /** The connection is closed without a word, as if the answer was lost on the way. */
    public static final Answer NOTHING = of(0, Map.of());

    /** Whether it is {@link #NOTHING}. */
    boolean isNothing() {
        return status == 0;
    }

    /** An answer without headers of its own. */
    public static Answer of(int status, Object body) {
        return new Answer(status, body, Map.of());
    }

    /** An answer that says in a sentence what is wrong. */
    public static Answer error(int status, String message) {
        return of(status, Map.of("error", message));
    }

    /** A text for people or for Prometheus. */
    public static Answer text(String text) {
        return of(200, text).with("Content-Type", "text/plain; charset=utf-8");
    }

    /** The same with one header more. */
    public Answer with(String header, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(header, value);
        return new Answer(status, body, all);
    }
}
