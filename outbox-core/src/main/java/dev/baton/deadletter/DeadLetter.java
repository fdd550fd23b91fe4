package dev.baton.deadletter;

import dev.baton.failure.DeathReason;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that will not be tried again.
 *
 * @param queue where it died
 * @param jobId its id there; (queue, jobId) is unique in a store
 * @param jobName which handler it was for
 * @param payload as it was enqueued
 * @param headers as they were enqueued
 * @param reason why it is dead
 * @param errorClass class of the last failure, or null if its worker vanished without one
 * @param error message of the last failure, cut to 8 KB
 * @param stackTrace of the last failure, cut to 16 KB; null if there is none
 * @param attempts how many attempts were used up
 * @param starts how often it was started
 * @param firstFailureAt by the queue's clock
 * @param diedAt by the queue's clock
 */
public record DeadLetter(
        String queue,
        String jobId,
        String jobName,
        String payload,
        Map<String, String> headers,
        DeathReason reason,
        @Nullable String errorClass,
        String error,
        @Nullable String stackTrace,
        int attempts,
        int starts,
        Instant firstFailureAt,
        Instant diedAt) {

    /** Says which job it was, never what is in it. */
    @Override
    public String toString() {
        return "DeadLetter[" + queue + "/" + jobName + " " + jobId + " " + reason + "]";
    }
}
