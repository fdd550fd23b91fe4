package dev.baton.outbox;

import static java.util.Objects.requireNonNull;

import dev.baton.internal.Bounds;
import dev.baton.internal.Headers;
import dev.baton.internal.Ids;
import dev.baton.internal.Json;
import dev.baton.internal.Names;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fact that a transaction recorded.
 *
 * @param id the message id everywhere downstream: job id, guard key, deduplication key
 * @param topic the kind of fact, such as {@code order.placed}; not blank
 * @param aggregateId what the fact is about, such as the order's id; events of one aggregate keep their order; not blank
 * @param payload JSON text; ids and a few small values rather than a snapshot
 * @param headers what travels beside the payload, such as trace context; immutable, in insertion order
 * @param notBefore its jobs start at this time at the earliest, by the queue's clock; null for at once
 */
public record Event(
        UUID id,
        String topic,
        String aggregateId,
        String payload,
        Map<String, String> headers,
        @Nullable Instant notBefore) {

    /**
     * Checks what can be checked without the database.
     *
     * @throws IllegalArgumentException if the topic, the aggregate id or a header's name is blank, has more than 200
     *     characters or a control character; if a header's value has more than 8 KB, a null character or half a surrogate
     *     pair; if the year of {@code notBefore} is not between 1 and 9999
     */
    public Event {
        requireNonNull(id, "id");
        Names.check("Event.topic", topic);
        Names.check("Event.aggregateId", aggregateId);
        requireNonNull(payload, "payload");
        headers = Headers.copy(headers);
        if (notBefore != null) {
            Bounds.moment("Event.notBefore", notBefore);
        }
    }

    /** An event for now. */
    public Event(UUID id, String topic, String aggregateId, String payload, Map<String, String> headers) {
        this(id, topic, aggregateId, payload, headers, null);
    }

    /**
     * An event with a new time-ordered id and no headers.
     *
     * @param payload JSON text as it is, if it is a {@link CharSequence}; anything else is written as JSON
     * @throws IllegalArgumentException if the payload cannot be written as JSON
     */
    public static Event of(String topic, Object aggregateId, Object payload) {
        String json = payload instanceof CharSequence text ? text.toString() : Json.write(payload);
        return new Event(Ids.timeOrdered(), topic, aggregateId.toString(), json, Map.of());
    }

    /** The same with a topic from an enum. */
    public static Event of(Topic topic, Object aggregateId, Object payload) {
        return of(topic.topicName(), aggregateId, payload);
    }

    /**
     * The same with a topic that knows its payload's class, so that a wrong payload does not compile.
     *
     * @throws IllegalArgumentException if the payload cannot be written as JSON
     */
    public static <P> Event of(TypedTopic<P> topic, Object aggregateId, P payload) {
        return of(topic.topicName(), aggregateId, Json.write(payload));
    }

    /** The same event under this id, such as one that a retried request would give again. */
    public Event withId(UUID otherId) {
        return new Event(otherId, topic, aggregateId, payload, headers, notBefore);
    }

    /**
     * The same event, whose jobs start at this time at the earliest. It is a moment by the queue's clock; a delay that no host's
     * clock decides on is that of a route.
     */
    public Event notBefore(Instant time) {
        return new Event(id, topic, aggregateId, payload, headers, time);
    }

    /** The same event with these headers added; a header that the event already has keeps its value. */
    public Event withHeaders(Map<String, String> more) {
        if (more.isEmpty()) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        more.forEach(all::putIfAbsent);
        return new Event(id, topic, aggregateId, payload, all, notBefore);
    }

    /** Says what the event is, never what is in it: payload data does not belong into logs. */
    @Override
    public String toString() {
        return "Event[" + topic + " " + id + " of " + aggregateId + "]";
    }
}
