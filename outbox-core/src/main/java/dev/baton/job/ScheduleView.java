package dev.baton.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it stands in its queue.
 *
 * @param schedule null if this version cannot read it, or this JVM does not know its time zone; other instances may fire it
 * @param nextRun its next occurrence
 * @param lastRun the last occurrence for which a job was enqueued; null if there was none yet
 */
public record ScheduleView(
        String id,
        @Nullable Schedule schedule,
        Instant nextRun,
        @Nullable Instant lastRun) {}
