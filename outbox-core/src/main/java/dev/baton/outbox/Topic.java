package dev.baton.outbox;

/**
 * A topic as a constant rather than a typed string. Implement it by an enum: a {@code switch} expression over the enum
 * then makes a forgotten route a compile error.
 */
public interface Topic {
    /** The name in the table, such as {@code order.placed}. Renaming it strands the rows already written. */
    String topicName();
}
