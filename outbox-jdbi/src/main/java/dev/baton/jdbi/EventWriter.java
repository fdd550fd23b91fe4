package dev.baton.jdbi;

import dev.baton.outbox.Event;
import dev.baton.outbox.WriteAnswer;
import dev.baton.trace.Trace;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/** What all writers do: check, add the trace, insert. */
final class EventWriter {
    private final EventInsert insert;

    EventWriter(OutboxTables tables) {
        this.insert = new EventInsert(tables);
    }

    List<WriteAnswer> write(Connection connection, List<Event> events) {
        if (events.isEmpty()) {
            return List.of();
        }
        events.forEach(Payload::check);
        Map<String, String> trace = Trace.capture();
        List<Event> traced = trace.isEmpty()
                ? events
                : events.stream().map(event -> event.withHeaders(trace)).toList();
        try {
            return insert.execute(connection, traced);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    static JdbiException failed(SQLException e) {
        return new UnableToExecuteStatementException(e, null);
    }
}
