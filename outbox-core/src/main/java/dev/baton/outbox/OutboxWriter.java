package dev.baton.outbox;

import java.util.List;

/**
 * Appends events to the outbox inside the caller's transaction.
 *
 * <p><b>Delivery.</b> The event exists if and only if the transaction commits. Once it is committed, the relay hands it
 * to every target of its topic, whatever crashes in between.
 *
 * <p><b>Threads.</b> A writer is thread-safe; the transaction is its caller's.
 *
 * @param <T> the transaction, such as Jdbi's {@code Handle}; a wrong object does not compile
 */
public interface OutboxWriter<T> {
    /**
     * Writes the events in this order, as one statement. The current trace context and correlation id are added to
     * their headers. The writer never commits, rolls back or closes the transaction.
     *
     * @return one answer per event, in the same order; of events with the same id the first one is written
     * @throws IllegalStateException if there is no transaction: the event could then exist without its cause
     * @throws IllegalArgumentException if a payload cannot be stored: not JSON, nested too deep, too large, or with a
     *     {@code \u0000}; nothing is written then, and the transaction is as usable as before
     */
    List<WriteAnswer> write(T transaction, List<Event> events);

    /** Writes one event; see {@link #write(Object, List)}. */
    default WriteAnswer write(T transaction, Event event) {
        return write(transaction, List.of(event)).get(0);
    }
}
