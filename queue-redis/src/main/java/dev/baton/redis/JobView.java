package dev.baton.redis;

import dev.baton.job.JobState;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as it stands in its queue.
 *
 * @param id unique among the live jobs of the queue
 * @param state where it is
 * @param time when it is due (DELAYED), since when it waits (BLOCKED), when its lease ends (LEASED), when it ended (DEAD,
 *     COMPLETED); null if READY
 * @param name which handler it is for; empty if the job's record cannot be read
 * @param payload as it was enqueued; the whole record if that cannot be read
 * @param headers as they were enqueued
 * @param enqueuedAt by the clock of Redis
 * @param starts that have ended
 * @param attempts that are used up
 * @param lastFailure message of the last failure; empty if it has not failed; why the record cannot be read, if it cannot
 */
public record JobView(
        String id,
        JobState state,
        @Nullable Instant time,
        String name,
        String payload,
        Map<String, String> headers,
        Instant enqueuedAt,
        int starts,
        int attempts,
        String lastFailure) {

    static JobView of(String id, JobState state, long millis, String text) {
        Instant time = state == JobState.READY ? null : Instant.ofEpochMilli(millis);
        try {
            return of(id, state, time, JobRecord.parse(id, text));
        } catch (RuntimeException unreadable) {
            // One of them must not hide the others of its page.
            return new JobView(id, state, time, "", text, Map.of(), Instant.EPOCH, 0, 0, "" + unreadable.getMessage());
        }
    }

    private static JobView of(String id, JobState state, @Nullable Instant time, JobRecord job) {
        return new JobView(
                id,
                state,
                time,
                job.envelope().name(),
                job.payload(),
                job.envelope().headers(),
                Instant.ofEpochMilli(job.head().enqueuedAt()),
                job.head().starts(),
                job.head().attempts(),
                LastFailure.parse(job.lastFailure()).message());
    }

    /** Says which job it is, never what is in it. */
    @Override
    public String toString() {
        return "JobView[" + name + " " + id + " " + state + "]";
    }
}
