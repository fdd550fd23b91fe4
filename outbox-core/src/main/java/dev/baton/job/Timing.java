package dev.baton.job;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * When the occurrences of a schedule are. A pure function: nothing here looks at a clock. Thread-safe.
 *
 * <p><b>Daylight saving.</b> Of a cron timing, a local time that is skipped occurs at the shift, and one that is repeated
 * occurs once, the first time. So {@code 30 2 * * *} in Berlin occurs at 03:00 on the last Sunday of March, and at 02:30 of
 * summer time, not again an hour later, on the last Sunday of October. The same holds for {@code *}{@code /15 * * * *}: what
 * falls into the repeated hour occurs in its first pass only. A rhythm that must not pause is {@link #every}, or cron in UTC.
 *
 * <p>The rules of a zone come from the time zone data of this JVM.
 */
public sealed interface Timing permits CronTiming, IntervalTiming {
    /**
     * Whenever the wall clock of the zone shows what the expression says.
     *
     * @param expression minute, hour, day of month, month and day of week as in crontab(5), or six fields with the second in
     *     front; numbers, {@code *}, lists, ranges and steps, and English names of three letters for months and days. Sunday
     *     is 0 or 7. If both days are given, either of them suffices
     * @throws IllegalArgumentException if it is no such expression, or never occurs
     * @throws IllegalStateException if the library that reads it is missing; {@code queue-redis} brings it
     */
    static Timing cron(String expression, ZoneId zone) {
        return new CronTiming(expression, zone);
    }

    /**
     * Whenever so much time has passed, counted from an anchor, so it never drifts.
     *
     * @throws IllegalArgumentException if it is not between 1 second and 3,650 days, or not of whole milliseconds
     */
    static Timing every(Duration interval) {
        return new IntervalTiming(interval);
    }

    /**
     * The first occurrence after that moment, never at it.
     *
     * @param anchor from which an interval counts; cron has no use for it
     */
    Instant next(Instant after, Instant anchor);

    /** A text from which {@link #parse} makes the same timing. */
    String toText();

    /**
     * The timing that has this text.
     *
     * @throws IllegalArgumentException if no timing has it, or this JVM does not know its time zone
     */
    static Timing parse(String text) {
        String[] words = text.split(" ", 3);
        try {
            if (words[0].equals(CronTiming.NAME) && words.length == 3) {
                return new CronTiming(words[2], ZoneId.of(words[1]));
            } else if (words[0].equals(IntervalTiming.NAME) && words.length == 2) {
                return new IntervalTiming(Duration.ofMillis(Long.parseLong(words[1])));
            }
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("the time zone of '" + text + "' is unknown to this JVM", e);
        }
        throw new IllegalArgumentException("no timing has the text '" + text + "'");
    }
}
