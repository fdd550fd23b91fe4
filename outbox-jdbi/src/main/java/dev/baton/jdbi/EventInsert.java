package dev.baton.jdbi;

import dev.baton.internal.Json;
import dev.baton.outbox.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** The one statement that writes events, whatever their number. Plain JDBC: it stands in every business transaction. */
final class EventInsert {
    private static final String ONE = """
            INSERT INTO outbox_events (id, topic, aggregate_id, payload, headers)
            VALUES (?::uuid, ?, ?, ?::jsonb, ?::jsonb)""";

    // Arrays, one per column: one plan for any number of events. ORDINALITY keeps the caller's order.
    private static final String MANY = """
            INSERT INTO outbox_events (id, topic, aggregate_id, payload, headers)
            SELECT id, topic, aggregate_id, payload::jsonb, headers::jsonb
            FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[])
                 WITH ORDINALITY AS e(id, topic, aggregate_id, payload, headers, position)
            ORDER BY position""";

    private static final List<Function<Event, String>> COLUMNS = List.of(
            event -> event.id().toString(),
            Event::topic,
            Event::aggregateId,
            Event::payload,
            event -> Json.write(event.headers()));

    private EventInsert() {}

    static void execute(Connection connection, List<Event> events) throws SQLException {
        boolean one = events.size() == 1;
        try (PreparedStatement insert = connection.prepareStatement(one ? ONE : MANY)) {
            for (int i = 0; i < COLUMNS.size(); i++) {
                Function<Event, String> column = COLUMNS.get(i);
                if (one) {
                    insert.setString(i + 1, column.apply(events.get(0)));
                } else {
                    Object[] values = events.stream().map(column).toArray();
                    insert.setArray(i + 1, connection.createArrayOf("text", values));
                }
            }
            insert.executeUpdate();
        }
    }
}
