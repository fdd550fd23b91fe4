package dev.baton.outbox;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The relay's side of the outbox. An implementation knows the database; the relay knows what to do with the events.
 *
 * <p><b>Threads.</b> Thread-safe. Passes exclude each other across all processes on the same database.
 */
public interface OutboxStore {
    /**
     * One pass in one transaction: takes the relay lock, reads committed unpublished events in the order in which they
     * were written, hands them over, marks as published what the hand-over returns, commits.
     *
     * <p><b>Delivery.</b> If the hand-over throws or the process dies, nothing is marked, and the same events come again
     * in the next pass; so a sink can see an event twice.
     *
     * @param topics only events of these topics are read; the others stay where they are and fill no batch
     * @param limit at most so many events
     * @param handOver called once if there are events, inside the transaction
     */
    PassResult pass(Set<String> topics, int limit, HandOver handOver);

    /** How far the relay is behind. One cheap query. */
    Lag lag();

    /** What the relay does with a batch. */
    @FunctionalInterface
    interface HandOver {
        /**
         * Hands a batch to its targets.
         *
         * @return the ids of the events that all of their targets hold now; only these are marked as published
         */
        Collection<UUID> handOver(List<Event> events);
    }

    /**
     * What a pass did.
     *
     * @param lockHeld false if another relay was at work; nothing was read then
     * @param read how many events were read
     * @param published how many of them were marked as published
     */
    record PassResult(boolean lockHeld, int read, int published) {
        /** Another relay holds the lock. */
        public static final PassResult STANDBY = new PassResult(false, 0, 0);
    }
}
