package dev.baton.job;

import static java.util.Objects.requireNonNull;

import dev.baton.internal.Names;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A job that is enqueued again and again.
 *
 * @param id names it in its queue; at most 170 characters
 * @param timing when
 * @param job what; its own id does not matter, each occurrence has {@link #occurrence one of its own}
 * @param missed what becomes of occurrences that nobody was there to fire
 */
public record Schedule(String id, Timing timing, NewJob job, MissedRuns missed) {
    /** The header of a job that says for which occurrence it is, such as {@code 2026-10-25T00:30:00Z}. */
    public static final String SCHEDULED_FOR = "baton-scheduled-for";

    /** An occurrence that is later than this is missed. */
    public static final Duration TOLERANCE = Duration.ofMinutes(1);

    /** Leaves room for the time in the id of a job. */
    private static final int LONGEST_ID = 170;

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if the id is blank, too long or has control characters, or the job has a delay or a
     *     time of its own
     */
    public Schedule {
        Names.check("Schedule.id", id);
        requireNonNull(timing, "timing");
        requireNonNull(missed, "missed");
        if (id.length() > LONGEST_ID) {
            throw new IllegalArgumentException(
                    "Schedule.id has " + id.length() + " characters; at most " + LONGEST_ID + " are allowed");
        }
        if (job.options().at() != null || !job.options().delay().isZero()) {
            throw new IllegalArgumentException(
                    "the job of schedule " + id + " has a delay or a time of its own; only the schedule says when");
        }
        job = job.withId(id);
    }

    /**
     * Enqueues the job whenever the wall clock of the zone shows what the expression says.
     *
     * @param expression see {@link Timing#cron}
     * @throws IllegalArgumentException if the expression is bad or never occurs; see also the constructor
     */
    public static Schedule cron(String id, String expression, ZoneId zone, NewJob job) {
        return new Schedule(id, Timing.cron(expression, zone), job, MissedRuns.ONCE);
    }

    /**
     * Enqueues the job every so often, for the first time when so much time has passed.
     *
     * @throws IllegalArgumentException if the interval is not between 1 second and 3,650 days; see also the constructor
     */
    public static Schedule every(String id, Duration interval, NewJob job) {
        return new Schedule(id, Timing.every(interval), job, MissedRuns.ONCE);
    }

    /** The same schedule with this policy instead of {@link MissedRuns#ONCE}. */
    public Schedule missed(MissedRuns policy) {
        return new Schedule(id, timing, job, policy);
    }

    /** The job of the occurrence at that time: its id is made of the schedule's and of the time, which is in a header too. */
    public NewJob occurrence(Instant time) {
        Map<String, String> headers = new LinkedHashMap<>(job.headers());
        headers.put(SCHEDULED_FOR, time.toString());
        return job.withId(id + "@" + time).withHeaders(headers);
    }

    /** Whether the occurrence that was due then still runs if it is fired now. */
    public boolean runs(Instant due, Instant now) {
        return missed == MissedRuns.ONCE || !isMissed(due, now);
    }

    /**
     * The occurrence that comes after the one which was due then and is dealt with now.
     *
     * @param anchor from which an interval counts
     */
    public Instant next(Instant due, Instant now, Instant anchor) {
        return timing.next(isMissed(due, now) ? now : due, anchor);
    }

    private static boolean isMissed(Instant due, Instant now) {
        return due.plus(TOLERANCE).isBefore(now);
    }
}
