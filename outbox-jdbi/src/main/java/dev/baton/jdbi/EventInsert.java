package dev.baton.jdbi;

import dev.baton.internal.Json;
import dev.baton.outbox.Event;
import dev.baton.outbox.WriteAnswer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The one statement that writes events, whatever their number. Plain JDBC: it stands in every business transaction. */
final class EventInsert {
    // A duplicate is skipped, not refused: a refusal would end the caller's transaction.
    private static final String ONE = """
            INSERT INTO outbox_events (id, topic, aggregate_id, payload, headers, hash, not_before)
            VALUES (?, ?, ?, ?::jsonb, ?::jsonb, ?, ?::timestamptz) ON CONFLICT (id) DO NOTHING""";

    // Arrays, one per column: one plan for any number of events. ORDINALITY keeps the caller's order.
    private static final String MANY = """
            INSERT INTO outbox_events (id, topic, aggregate_id, payload, headers, hash, not_before)
            SELECT id, topic, aggregate_id, payload::jsonb, headers::jsonb, hash::int, not_before::timestamptz
            FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
                 WITH ORDINALITY AS e(id, topic, aggregate_id, payload, headers, hash, not_before, position)
            ORDER BY position
            ON CONFLICT (id) DO NOTHING
            RETURNING id""";

    private static final List<Function<Event, @Nullable String>> COLUMNS = List.of(
            event -> event.id().toString(),
            Event::topic,
            Event::aggregateId,
            Event::payload,
            EventInsert::headers,
            event -> Integer.toString(event.aggregateId().hashCode()),
            EventInsert::notBefore);

    private final String one;
    private final String many;

    EventInsert(OutboxTables tables) {
        this.one = tables.in(ONE);
        this.many = tables.in(MANY);
    }

    List<WriteAnswer> execute(Connection connection, List<Event> events) throws SQLException {
        return events.size() == 1 ? List.of(insert(connection, events.get(0))) : insert(connection, events);
    }

    private WriteAnswer insert(Connection connection, Event event) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(one)) {
            insert.setObject(1, event.id());
            insert.setString(2, event.topic());
            insert.setString(3, event.aggregateId());
            insert.setString(4, event.payload());
            insert.setString(5, headers(event));
            insert.setInt(6, event.aggregateId().hashCode());
            insert.setString(7, notBefore(event));
            return insert.executeUpdate() == 1 ? WriteAnswer.WRITTEN : WriteAnswer.DUPLICATE;
        }
    }

    private List<WriteAnswer> insert(Connection connection, List<Event> events) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(many)) {
            for (int i = 0; i < COLUMNS.size(); i++) {
                Object[] values = events.stream().map(COLUMNS.get(i)).toArray();
                insert.setArray(i + 1, connection.createArrayOf("text", values));
            }
            Set<UUID> written = new HashSet<>();
            try (ResultSet rows = insert.executeQuery()) {
                while (rows.next()) {
                    written.add(rows.getObject(1, UUID.class));
                }
            }
            List<WriteAnswer> answers = new ArrayList<>(events.size());
            // Of two events with the same id the first one was written.
            events.forEach(
                    event -> answers.add(written.remove(event.id()) ? WriteAnswer.WRITTEN : WriteAnswer.DUPLICATE));
            return answers;
        }
    }

    private static String headers(Event event) {
        return event.headers().isEmpty() ? "{}" : Json.write(event.headers());
    }

    private static @Nullable String notBefore(Event event) {
        Instant time = event.notBefore();
        return time == null ? null : time.toString();
    }
}
