package dev.baton.redis;

import dev.baton.failure.DeathReason;
import dev.baton.internal.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last failure of a job, as one line of JSON in its record. Cut when it is stored: 8 KB of message, and of stack trace
 * 16 KB, the latter only for a job that dies.
 */
final class LastFailure {
    private static final int MESSAGE = 8 * 1024;
    private static final int TRACE = 16 * 1024;

    private final Map<String, String> fields;

    private LastFailure(Map<String, String> fields) {
        this.fields = fields;
    }

    /** A failure after which the job is tried again. */
    static LastFailure of(Throwable failure) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("class", failure.getClass().getName());
        fields.put("message", cut(message(failure), MESSAGE));
        return new LastFailure(fields);
    }

    /** The failure that the job died of. */
    static LastFailure fatal(DeathReason reason, Throwable failure) {
        LastFailure last = of(failure);
        last.fields.put("reason", reason.name());
        last.fields.put("trace", trace(failure));
        return last;
    }

    /** A death without an exception: the budget was used up by crashes, or the record cannot be read. */
    static LastFailure fatal(DeathReason reason, String message) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("message", message);
        fields.put("reason", reason.name());
        return new LastFailure(fields);
    }

    /** What a record says; if that cannot be read, it is no reason to keep the job from being looked at or buried. */
    static LastFailure parse(String json) {
        try {
            return new LastFailure(json.isEmpty() ? Map.of() : Json.readStrings(json));
        } catch (RuntimeException unreadable) {
            return new LastFailure(Map.of("message", "(its last failure cannot be read)"));
        }
    }

    String toJson() {
        return Json.write(fields);
    }

    DeathReason reason() {
        try {
            return DeathReason.valueOf(fields.getOrDefault("reason", DeathReason.ATTEMPTS.name()));
        } catch (IllegalArgumentException ofAnotherVersion) {
            return DeathReason.ATTEMPTS;
        }
    }

    @Nullable
    String errorClass() {
        return fields.get("class");
    }

    String message() {
        return fields.getOrDefault("message", "");
    }

    @Nullable
    String trace() {
        return fields.get("trace");
    }

    private static String message(Throwable failure) {
        try {
            return String.valueOf(failure.getMessage());
        } catch (RuntimeException e) {
            return "(its message cannot be read: " + e.getClass().getName() + ")";
        }
    }

    /** The trace is written into a writer that takes no more than is kept: the causes may be thousands. */
    private static String trace(Throwable failure) {
        Bounded out = new Bounded();
        try {
            failure.printStackTrace(new PrintWriter(out));
        } catch (RuntimeException fullOrUnreadable) {
            return out.toString();
        } catch (StackOverflowError e) {
            return cut(failure.getClass().getName() + " (its chain of causes is too long to print)", TRACE);
        }
        return out.toString();
    }

    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end);
    }

    private static final class Bounded extends StringWriter {
        @Override
        public void write(String text) {
            super.write(text);
            if (getBuffer().length() >= TRACE) {
                String kept = cut(getBuffer().toString(), TRACE);
                getBuffer().setLength(0);
                getBuffer().append(kept);
                throw new Full();
            }
        }

        @Override
        public void write(String text, int from, int length) {
            write(text.substring(from, from + Math.min(length, TRACE)));
        }
    }

    private static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Full() {
            super("full", null, false, false);
        }
    }
}
