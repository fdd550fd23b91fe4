package dev.baton.redis;

import dev.baton.job.NewJob;
import java.time.Instant;
import java.util.Objects;

/** A job of the {@link ModelQueue}. */
final class ModelJob {
    final String id;
    final int priority;
    final String key;
    final String unique;
    final long enqueuedAt;
    int starts;
    int attempts;
    long firstFailureAt;

    ModelJob(NewJob job, long now) {
        this.id = job.id();
        this.priority = job.options().priority();
        this.key = Objects.requireNonNullElse(job.options().orderingKey(), "");
        this.unique = Objects.requireNonNullElse(job.options().uniqueId(), "");
        this.enqueuedAt = now;
    }

    static long dueOf(NewJob job, long now) {
        Instant at = job.options().at();
        return at == null ? now + Math.max(0, job.options().delay().toMillis()) : at.toEpochMilli();
    }

    void count(int moreStarts, int moreAttempts, long now) {
        starts += moreStarts;
        attempts += moreAttempts;
        if (moreAttempts > 0 && firstFailureAt == 0) {
            firstFailureAt = now;
        }
    }

    void startAfresh() {
        starts = 0;
        attempts = 0;
        firstFailureAt = 0;
    }

    /** The first line of its record. */
    String head() {
        return starts + " " + attempts + " " + enqueuedAt + " " + firstFailureAt + " " + priority + "\t" + key + "\t"
                + unique;
    }
}
