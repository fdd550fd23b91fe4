package dev.baton.deadletter;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One thing that was done with a letter, or with a run that sends letters back.
 *
 * @param at by the store's clock
 * @param by who did it
 * @param why as they said
 * @param redrive the run that did it, or with which it was done
 */
public record AuditEntry(
        Instant at,
        Action action,
        String by,
        String why,
        @Nullable UUID redrive) {
    /** What was done. */
    public enum Action {
        /** Sent back. */
        REDRIVEN,
        /** A run could not send it back; {@code why} says for what reason. */
        SKIPPED,
        /** Given up. */
        DISCARDED,
        /** Read from a file. */
        IMPORTED,
        /** A run was ordered. */
        STARTED,
        /** A run was made to wait. */
        PAUSED,
        /** A run was let go on. */
        RESUMED,
        /** A run was ended before it was through. */
        CANCELLED
    }
}
