package dev.baton.benchmarks.outbox;

import dev.baton.outbox.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The row that a writer writes, by one statement without more. */
final class BareInsert {
    private static final String INSERT =
            "INSERT INTO outbox_events (id, topic, aggregate_id, payload, headers, hash) VALUES (?, ?, ?, ?::jsonb, ?::jsonb, ?)";

    private BareInsert() {}

    static void execute(Connection transaction, String payload) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement(INSERT)) {
            // An id of the same kind: whether ids rise matters to the index.
            Event event = Payloads.event(payload);
            insert.setObject(1, event.id());
            insert.setString(2, event.topic());
            insert.setString(3, event.aggregateId());
            insert.setString(4, event.payload());
            insert.setString(5, "{}");
            insert.setInt(6, event.aggregateId().hashCode());
            insert.executeUpdate();
        }
    }
}
