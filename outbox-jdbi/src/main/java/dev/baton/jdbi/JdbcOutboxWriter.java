package dev.baton.jdbi;

import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import dev.baton.outbox.WriteAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes events through the caller's JDBC connection, inside its transaction. JDBC has no hook after a commit: nudge the
 * relay yourself, or let it find the events at its next poll.
 */
public final class JdbcOutboxWriter implements OutboxWriter<Connection> {
    private final EventWriter writer;

    /** For the outbox in the current schema. */
    public JdbcOutboxWriter() {
        this(OutboxTables.DEFAULT);
    }

    /** For the outbox in these tables. */
    public JdbcOutboxWriter(OutboxTables tables) {
        this.writer = new EventWriter(tables);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the connection commits each statement by itself
     * @throws org.jdbi.v3.core.JdbiException if PostgreSQL refuses the statement; the transaction can only be rolled back then
     */
    @Override
    public List<WriteAnswer> write(Connection transaction, List<Event> events) {
        try {
            if (transaction.getAutoCommit()) {
                throw new IllegalStateException("the connection is in autocommit mode, so the event could exist without"
                        + " what caused it; call setAutoCommit(false) first");
            }
        } catch (SQLException e) {
            throw EventWriter.failed(e);
        }
        return writer.write(transaction, events);
    }
}
