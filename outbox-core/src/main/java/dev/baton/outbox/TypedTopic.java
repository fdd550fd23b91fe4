package dev.baton.outbox;

import static java.util.Objects.requireNonNull;

import dev.baton.internal.Names;

/**
 * A topic with the class of its payload: {@code TypedTopic.of("order.placed", Placed.class)}.
 *
 * @param topicName the name in the table
 * @param payload what its events carry
 */
public record TypedTopic<P>(String topicName, Class<P> payload) implements Topic {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is blank, has more than 200 characters or a control character
     */
    public TypedTopic {
        Names.check("TypedTopic.topicName", topicName);
        requireNonNull(payload, "payload");
    }

    /** Reads as a sentence. */
    public static <P> TypedTopic<P> of(String topicName, Class<P> payload) {
        return new TypedTopic<>(topicName, payload);
    }
}
