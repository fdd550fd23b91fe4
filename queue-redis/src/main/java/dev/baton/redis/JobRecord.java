package dev.baton.redis;

import dev.baton.job.Job;
import dev.baton.job.JobOptions;
import dev.baton.job.NewJob;
import java.time.Instant;
import java.util.Objects;

/**
 * A job as it stands in Redis, in the four parts that {@code record.lua} describes. The payload comes last and as it is, so
 * nothing on the way parses or escapes it.
 *
 * @param lastFailure as {@link LastFailure} wrote it; empty if there is none
 */
record JobRecord(String id, JobHead head, String lastFailure, Envelope envelope, String payload) {

    private static final String NOW = "+0";
    private static final long ALMOST_A_MS = 999_999;

    /** The part of the record that never changes: envelope and payload. */
    static String body(NewJob job) {
        return Envelope.toLine(job) + "\n" + job.payload();
    }

    /** Where a new job goes, in one word, as {@code enter.lua} takes it. */
    static String place(NewJob job) {
        JobOptions options = job.options();
        String due = due(options);
        String key = Objects.requireNonNullElse(options.orderingKey(), "");
        String unique = Objects.requireNonNullElse(options.uniqueId(), "");
        boolean plain = due.equals(NOW) && options.priority() == 0 && key.isEmpty() && unique.isEmpty();
        return plain ? "" : due + " " + options.priority() + "\t" + key + "\t" + unique;
    }

    /**
     * A delay is counted by the server, so the clock of this host does not matter to it. A part of a millisecond is a whole
     * one: no job starts before its time.
     */
    private static String due(JobOptions options) {
        if (options.at() != null) {
            return "@" + Math.max(0, options.at().plusNanos(ALMOST_A_MS).toEpochMilli());
        }
        long delayMs = options.delay().plusNanos(ALMOST_A_MS).toMillis();
        return delayMs <= 0 ? NOW : "+" + delayMs;
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if the text is no job record; the message holds none of it
     */
    static JobRecord parse(String id, String text) {
        try {
            int head = text.indexOf('\n');
            int failure = text.indexOf('\n', head + 1);
            int envelope = text.indexOf('\n', failure + 1);
            return new JobRecord(
                    id,
                    JobHead.parse(text.substring(0, head)),
                    text.substring(head + 1, failure),
                    Envelope.parse(text.substring(failure + 1, envelope)),
                    text.substring(envelope + 1));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("job " + id + " has a record that this version cannot read ("
                    + e.getClass().getSimpleName() + ")");
        }
    }

    /** The right to run a job whose record may not be readable; what it holds is freed as far as its beginning tells. */
    static Lease lease(String id, String token, String text) {
        try {
            JobHead head = JobHead.parse(text.substring(0, text.indexOf('\n')));
            return new Lease(id, token, head.orderingKey(), head.uniqueId());
        } catch (RuntimeException unreadable) {
            return new Lease(id, token, "", "");
        }
    }

    /** The start and the attempt that begin now. */
    Job toJob(String queue) {
        return new Job(
                queue,
                id,
                envelope.name(),
                payload,
                envelope.headers(),
                Instant.ofEpochMilli(head.enqueuedAt()),
                head.starts() + 1,
                head.attempts() + 1);
    }

    /** The right to run it, with all that is to be freed when it ends. */
    Lease lease(String token) {
        return new Lease(id, token, head.orderingKey(), head.uniqueId());
    }
}
