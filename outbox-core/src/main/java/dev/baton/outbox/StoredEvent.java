package dev.baton.outbox;

import dev.baton.internal.Json;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event as its row holds it: unchecked, because a row that cannot be read must not stop the others.
 *
 * @param seq the order in which events were written
 * @param headers JSON text
 * @param batch in which it was handed over; 0 if it was not; of an event that is to be handed over once more, a higher number than
 *     that of any batch it was part of
 * @param attempts how often it was refused so far
 * @param accepted names of sinks without a memory that hold it already
 */
public record StoredEvent(
        long seq,
        UUID id,
        String topic,
        String aggregateId,
        String payload,
        String headers,
        @Nullable Instant notBefore,
        long batch,
        int attempts,
        Set<String> accepted) {
    /**
     * The event.
     *
     * @throws RuntimeException if the row is none; the message holds no payload data
     */
    public Event event() {
        Map<String, String> read = headers.equals("{}") ? Map.of() : Json.readStrings(headers);
        return new Event(id, topic, aggregateId, payload, read, notBefore);
    }

    /** By its number alone: it stands as a key, and a payload is long. */
    @Override
    public int hashCode() {
        return Long.hashCode(seq);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredEvent event && event.seq == seq && event.id.equals(id);
    }

    /** Says which event it is, never what is in it. */
    @Override
    public String toString() {
        return "event " + id + " of topic " + topic;
    }
}
