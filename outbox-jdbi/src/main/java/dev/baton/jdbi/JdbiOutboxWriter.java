package dev.baton.jdbi;

import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import dev.baton.trace.Trace;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events through the caller's Jdbi handle, inside its transaction.
 *
 * <p>After the commit it can run a hook, such as {@code relay::nudge}, so that the event leaves at once rather than at the
 * relay's next poll. The hook cannot harm the caller: the commit stands by then, so what it throws is logged and
 * swallowed.
 */
public final class JdbiOutboxWriter implements OutboxWriter<Handle> {
    private static final Logger log = LoggerFactory.getLogger(JdbiOutboxWriter.class);

    private final Runnable afterCommit;

    /** A writer whose events leave at the relay's next poll. */
    public JdbiOutboxWriter() {
        this(() -> {});
    }

    /**
     * A writer that runs a hook after each commit.
     *
     * @param afterCommit runs in the writing thread after its commit, once per write; must be quick
     */
    public JdbiOutboxWriter(Runnable afterCommit) {
        this.afterCommit = afterCommit;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the handle is not in a transaction
     * @throws org.jdbi.v3.core.JdbiException if PostgreSQL refuses an event, such as one whose payload is not JSON or whose
     *     id exists already; nothing is written then, and the transaction can only be rolled back
     */
    @Override
    public void write(Handle transaction, List<Event> events) {
        if (!transaction.isInTransaction()) {
            throw new IllegalStateException("the handle is not in a transaction, so the event could exist without what"
                    + " caused it; call write inside jdbi.useTransaction(..) or after handle.begin()");
        }
        if (events.isEmpty()) {
            return;
        }
        insert(transaction, events);
        transaction.afterCommit(this::runHook);
    }

    private static void insert(Handle transaction, List<Event> events) {
        Map<String, String> trace = Trace.capture();
        List<Event> traced =
                events.stream().map(event -> event.withHeaders(trace)).toList();
        try {
            EventInsert.execute(transaction.getConnection(), traced);
        } catch (SQLException e) {
            throw new UnableToExecuteStatementException(e, null);
        }
    }

    private void runHook() {
        try {
            afterCommit.run();
        } catch (RuntimeException e) {
            log.warn("the hook after a commit failed; the events are safe and leave at the relay's next poll", e);
        }
    }
}
