package dev.baton.deadletter;

import dev.baton.failure.DeathReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One death in the history of a letter.
 *
 * @param jobId under which it lived that time; a redrive gives it a new one
 * @param diedAt by the queue's clock
 * @param errorClass class of the last failure, or null
 * @param error first 200 characters of its message
 */
public record Death(
        String jobId,
        Instant diedAt,
        DeathReason reason,
        @Nullable String errorClass,
        String error,
        int attempts,
        int starts) {
    private static final int SHORT = 200;

    /** The death that a letter tells of. */
    public static Death of(DeadLetter letter) {
        String error = letter.error();
        return new Death(
                letter.jobId(),
                letter.diedAt(),
                letter.reason(),
                letter.errorClass(),
                error.length() > SHORT ? error.substring(0, SHORT) : error,
                letter.attempts(),
                letter.starts());
    }
}
