package dev.baton.jdbi;

import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import dev.baton.outbox.WriteAnswer;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events through the caller's Jdbi handle, inside its transaction. There is no plugin to install: a SQL object writes
 * {@code writer.write(getHandle(), event)} in a method that is a {@code @Transaction}.
 *
 * <p>After the commit it can run a hook, such as {@code relay::nudge}, so that the event leaves at once rather than at the
 * relay's next poll. The hook cannot harm the caller: the commit stands by then, so what it throws is logged and
 * swallowed.
 */
public final class JdbiOutboxWriter implements OutboxWriter<Handle> {
    private static final Logger log = LoggerFactory.getLogger(JdbiOutboxWriter.class);

    private final EventWriter writer;
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
        this(OutboxTables.DEFAULT, afterCommit);
    }

    /**
     * A writer for the outbox in these tables.
     *
     * @param afterCommit as above
     */
    public JdbiOutboxWriter(OutboxTables tables, Runnable afterCommit) {
        this.writer = new EventWriter(tables);
        this.afterCommit = afterCommit;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the handle is not in a transaction
     * @throws org.jdbi.v3.core.JdbiException if PostgreSQL refuses the statement; the transaction can only be rolled back then
     */
    @Override
    public List<WriteAnswer> write(Handle transaction, List<Event> events) {
        if (!transaction.isInTransaction()) {
            throw new IllegalStateException("the handle is not in a transaction, so the event could exist without what"
                    + " caused it; call write inside jdbi.useTransaction(..) or after handle.begin()");
        }
        List<WriteAnswer> answers = writer.write(transaction.getConnection(), events);
        if (answers.contains(WriteAnswer.WRITTEN)) {
            transaction.afterCommit(this::runHook);
        }
        return answers;
    }

    private void runHook() {
        try {
            afterCommit.run();
        } catch (Throwable e) {
            // Whatever it is, an Error too: the caller would take it for a failed commit, and do its work again.
            log.warn("the hook after a commit failed; the events are safe and leave at the relay's next poll", e);
        }
    }
}
