package dev.baton.redis;

import dev.baton.job.JobOptions;
import dev.baton.job.MissedRuns;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import dev.baton.job.ScheduleView;
import dev.baton.job.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it stands in Redis, in the fields that {@code stored.lua} describes.
 *
 * @param due its next run, in ms since 1970
 */
record ScheduleRecord(String id, long due, Map<String, String> fields) {

    /** From the answer of a script: id, next run, and the fields as name, value, .. */
    static ScheduleRecord of(List<?> answer) {
        Map<String, String> fields = new HashMap<>();
        List<?> words = (List<?>) answer.get(2);
        for (int i = 0; i < words.size(); i += 2) {
            fields.put((String) words.get(i), (String) words.get(i + 1));
        }
        return new ScheduleRecord((String) answer.get(0), Long.parseLong((String) answer.get(1)), fields);
    }

    /** The definition as name, value, .. */
    static List<String> words(Schedule schedule) {
        JobOptions options = schedule.job().options();
        return List.of(
                "timing",
                schedule.timing().toText(),
                "missed",
                schedule.missed().name(),
                "priority",
                Integer.toString(options.priority()),
                "key",
                Objects.requireNonNullElse(options.orderingKey(), ""),
                "unique",
                Objects.requireNonNullElse(options.uniqueId(), ""),
                "body",
                JobRecord.body(schedule.job()));
    }

    /**
     * The definition.
     *
     * @throws IllegalArgumentException if this version cannot read it, or this JVM does not know its time zone; the message
     *     holds nothing of the job
     */
    Schedule schedule() {
        Timing timing = Timing.parse(field("timing"));
        try {
            return new Schedule(id, timing, job(), MissedRuns.valueOf(field("missed")));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "not of this version (" + e.getClass().getSimpleName() + ")");
        }
    }

    Instant anchor() {
        return Instant.ofEpochMilli(Long.parseLong(field("anchor")));
    }

    String version() {
        return field("version");
    }

    ScheduleView view() {
        String last = fields.get("last");
        return new ScheduleView(
                id,
                readable(),
                Instant.ofEpochMilli(due),
                last == null ? null : Instant.ofEpochMilli(Long.parseLong(last)));
    }

    private @Nullable Schedule readable() {
        try {
            return schedule();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private NewJob job() {
        String[] body = field("body").split("\n", 2);
        Envelope envelope = Envelope.parse(body[0]);
        JobOptions options = new JobOptions(
                Duration.ZERO,
                null,
                orNull(field("key")),
                Integer.parseInt(field("priority")),
                orNull(field("unique")),
                envelope.retry());
        return new NewJob(id, envelope.name(), body[1], envelope.headers(), options);
    }

    private String field(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("it has no " + name);
        }
        return value;
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
