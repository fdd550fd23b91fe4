package dev.baton.outbox;

/** What the outbox says to one event. */
public enum WriteAnswer {
    /** The event is a row of the transaction now. */
    WRITTEN,
    /** An event with this id exists already; nothing changed, and the transaction goes on. */
    DUPLICATE
}
