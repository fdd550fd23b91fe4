package dev.baton.jdbi;

import dev.baton.internal.Json;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import dev.baton.trace.Trace;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
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

    // Arrays, one per column: one statement, and one plan, for any number of events. ORDINALITY keeps the caller's
    // order.
    private static final String INSERT = """
            INSERT INTO outbox_events (id, topic, aggregate_id, payload, headers)
            SELECT id, topic, aggregate_id, payload::jsonb, headers::jsonb
            FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[])
                 WITH ORDINALITY AS e(id, topic, aggregate_id, payload, headers, position)
            ORDER BY position""";

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
        int n = events.size();
        String[] ids = new String[n];
        String[] topics = new String[n];
        String[] aggregates = new String[n];
        String[] payloads = new String[n];
        String[] headers = new String[n];
        for (int i = 0; i < n; i++) {
            Event event = events.get(i).withHeaders(trace);
            ids[i] = event.id().toString();
            topics[i] = event.topic();
            aggregates[i] = event.aggregateId();
            payloads[i] = event.payload();
            headers[i] = Json.write(event.headers());
        }
        transaction
                .createUpdate(INSERT)
                .bindArray(0, String.class, (Object[]) ids)
                .bindArray(1, String.class, (Object[]) topics)
                .bindArray(2, String.class, (Object[]) aggregates)
                .bindArray(3, String.class, (Object[]) payloads)
                .bindArray(4, String.class, (Object[]) headers)
                .execute();
    }

    private void runHook() {
        try {
            afterCommit.run();
        } catch (RuntimeException e) {
            log.warn("the hook after a commit failed; the events are safe and leave at the relay's next poll", e);
        }
    }
}
