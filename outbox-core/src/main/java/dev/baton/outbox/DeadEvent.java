package dev.baton.outbox;

import java.time.Instant;

/**
 * An event that no relay will try again.
 *
 * @param event as it is stored
 * @param reason what a sink, or the mapping, said last
 * @param firstFailureAt by the database's clock
 * @param lastFailureAt by the database's clock
 */
public record DeadEvent(StoredEvent event, String reason, Instant firstFailureAt, Instant lastFailureAt) {
    /** The queue that dead letters of events name. */
    public static final String ORIGIN = "outbox";

    /** The header in which the dead letter of an event keeps its aggregate, so that it can be sent back. */
    public static final String AGGREGATE_ID = "baton.aggregate-id";
}
