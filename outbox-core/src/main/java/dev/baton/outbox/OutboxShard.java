package dev.baton.outbox;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * One shard as one relay reads it. It remembers a position, so that a claim need not pass over what is published.
 *
 * <p><b>Threads.</b> For one thread.
 */
public interface OutboxShard {
    /** Whether there may be something to do, asked by one cheap query that takes no lock and writes nothing. */
    boolean waiting();

    /** Up to which {@code seq} everything that was seen here is published or put aside; 0 in the beginning. For any thread. */
    long position();

    /** Begins a transaction and takes the shard's lock in it; empty if another relay holds it. */
    Optional<Turn> turn();

    /**
     * A transaction that holds the shard's lock: what it reads as published was published by turns that ended before.
     *
     * <p><b>Delivery.</b> Nothing that it did stands unless {@link #commit} returns; if that throws, it may.
     */
    interface Turn extends AutoCloseable {
        /**
         * Events that are committed, neither published nor parked, in the order in which they were written; before them
         * parked ones that are due.
         */
        Claim claim(int limit);

        /** Which of these events are not published. */
        Unsettled unsettled(Collection<UUID> ids);

        /** Which of these events were published under higher numbers. */
        Set<UUID> publishedAfter(long number, Collection<UUID> ids);

        /**
         * What was published under higher numbers, in order, in whole batches of about so many rows.
         *
         * @param after the number up to which nothing is missing
         */
        Published published(long after, Set<String> topics, int rows);

        /** Draws a number that is higher than any before. */
        long number();

        /** Makes all numbers that are drawn from now on higher than this one. */
        void liftNumbers(long above);

        /** Marks events as published in this batch; parked ones are parked no longer. */
        void publish(List<StoredEvent> events, long number);

        /** Puts refused events aside. */
        void park(List<Refused> events);

        /**
         * Puts events aside until the one of their aggregate that was refused is dealt with, which may be so already; after
         * {@link #publish} and {@link #park}.
         */
        void hold(List<StoredEvent> events);

        /** They were claimed, and are neither published nor put aside: a later claim finds them again. */
        void leave(List<StoredEvent> events);

        /** How long the sinks may take before the turn has to come to its end. */
        Duration budget();

        /** Makes it all stand. */
        void commit();

        /** Takes it all back unless it was committed. */
        @Override
        void close();
    }

    /**
     * What a claim found.
     *
     * @param events to hand over
     * @param waiting to be held, because an earlier event of their aggregate is parked
     * @param more whether there is certainly more
     */
    record Claim(List<StoredEvent> events, List<StoredEvent> waiting, boolean more) {}

    /**
     * Events that are not published, each in the order in which they were written.
     *
     * @param ready not parked, or due, which a claim would find
     * @param waiting parked, and not due, or with a parked one before them in their aggregate that is not
     */
    record Unsettled(List<StoredEvent> ready, List<StoredEvent> waiting) {
        /** Both. */
        public List<StoredEvent> all() {
            return Stream.concat(ready.stream(), waiting.stream()).toList();
        }
    }

    /**
     * What was published.
     *
     * @param events of the topics asked for, by batch and then in the order in which they were written
     * @param upTo the last number that was looked at; unless there is more, {@link Long#MAX_VALUE}
     */
    record Published(List<StoredEvent> events, long upTo) {
        /** Whether more was published than was looked at. */
        public boolean more() {
            return upTo != Long.MAX_VALUE;
        }
    }

    /**
     * An event that was refused.
     *
     * @param reason without payload data
     * @param delay until it is tried again; null if its budget is spent
     * @param blocks whether later events of its aggregate wait for it
     * @param accepted sinks without a memory that hold it already
     */
    record Refused(
            StoredEvent event,
            String reason,
            @org.jspecify.annotations.Nullable Duration delay,
            boolean blocks,
            Set<String> accepted) {}
}
