package dev.baton.jdbi;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which published events are to be handed over again: all that fulfil every condition given. Immutable. */
public final class Replay {
    private final Map<String, Object> parameters;
    private final List<String> conditions;

    private Replay(Map<String, Object> parameters, List<String> conditions) {
        this.parameters = parameters;
        this.conditions = conditions;
    }

    /** What was published in this time, by the database's clock. */
    public static Replay publishedBetween(Instant from, Instant until) {
        return new Replay(Map.of(), List.of())
                .and("published_at >= :from", "from", from.atOffset(ZoneOffset.UTC))
                .and("published_at < :until", "until", until.atOffset(ZoneOffset.UTC));
    }

    /** Of this topic. */
    public Replay topic(String topic) {
        return and("topic = :topic", "topic", topic);
    }

    /** Of this aggregate. */
    public Replay aggregate(String aggregateId) {
        return and("aggregate_id = :aggregate", "aggregate", aggregateId);
    }

    Map<String, Object> parameters() {
        return parameters;
    }

    /** On rows of the outbox. */
    String condition() {
        return "published_at IS NOT NULL AND " + String.join(" AND ", conditions);
    }

    private Replay and(String condition, String name, Object value) {
        Map<String, Object> all = new LinkedHashMap<>(parameters);
        all.put(name, value);
        List<String> more = new ArrayList<>(conditions);
        more.add(condition);
        return new Replay(all, more);
    }
}
