package dev.baton.deadletter;

import dev.baton.failure.DeathReason;
import dev.baton.job.Job;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that will not be tried again.
 *
 * @param queue where it died
 * @param jobId its id there; a redrive gives it a new one
 * @param jobName which handler it was for
 * @param payload as it was enqueued
 * @param headers as they were enqueued, and ordering key, priority and retry policy of its own if it has them; these hold
 *     again when it is sent back
 * @param reason why it is dead
 * @param errorClass class of the last failure, or null if its worker vanished without one
 * @param error message of the last failure, cut to 8,192 characters
 * @param stackTrace of the last failure, cut to 16,384 characters; null if there is none
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
    private static final int ERROR = 8 * 1024;
    private static final int TRACE = 16 * 1024;

    /** Cuts what is too long: a message to 8,192 characters, a stack trace to 16,384. */
    public DeadLetter {
        error = cut(error, ERROR);
        stackTrace = stackTrace == null ? null : cut(stackTrace, TRACE);
    }

    /** The id of the message, which stays the same through redrives; a letter's queue has one letter of it. */
    public String messageId() {
        return headers.getOrDefault(Job.MESSAGE_ID, jobId);
    }

    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        // Half a character could not be stored.
        return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
    }

    /** Says which job it was, never what is in it. */
    @Override
    public String toString() {
        return "DeadLetter[" + queue + "/" + jobName + " " + jobId + " " + reason + "]";
    }
}
