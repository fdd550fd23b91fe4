package dev.baton.jdbi;

import dev.baton.deadletter.AuditEntry;
import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.LetterPage.Cursor;
import dev.baton.deadletter.LetterState;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.deadletter.RedriveProgress;
import dev.baton.deadletter.StoredLetter;
import dev.baton.internal.MergePatch;
import dev.baton.job.Job;
import dev.baton.outbox.DeadEvent;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** Some letters of a run: each closed and made an event, or left open with a note of why it cannot be sent back. */
final class RedriveBatch {
    private static final String LETTERS =
            "SELECT " + LetterRow.COLUMNS + " FROM dead_letters WHERE %s ORDER BY died_at, id LIMIT :limit";
    private static final String LOCKED = LETTERS + " FOR UPDATE";

    private static final String CLOSE = """
            UPDATE dead_letters SET state = 'REDRIVEN', redrives = redrives + 1, closed_at = now(), note = :why
            WHERE id = ANY (string_to_array(:ids, ',')::uuid[])""";

    private final OutboxWriter<Handle> writer;
    private final Set<String> topics;
    private final OutboxTables tables;
    private final LetterAudit audit;

    RedriveBatch(OutboxWriter<Handle> writer, Set<String> topics, OutboxTables tables) {
        this.writer = writer;
        this.topics = topics;
        this.tables = tables;
        this.audit = new LetterAudit(tables);
    }

    /** The next letters of a run, locked. Those that died again since it was ordered are not among them. */
    List<StoredLetter> letters(Handle transaction, RedriveRun run, int limit) {
        LetterWhere where = open(run.order(), run.after()).buriedUntil(run.createdAt());
        return letters(transaction, LOCKED, where, limit);
    }

    /** Sends them back, in their order. Returns how many; the others stay open. */
    int send(Handle transaction, RedriveRun run, List<StoredLetter> letters) {
        RedriveOrder order = run.order();
        List<LetterAudit.Entry> entries = new ArrayList<>();
        Set<UUID> written = write(transaction, order, letters, entries);
        written.forEach(id -> entries.add(new LetterAudit.Entry(id, AuditEntry.Action.REDRIVEN, order.why())));
        close(transaction, written, order.why());
        audit.add(transaction, entries, order.by(), run.id());
        return written.size();
    }

    /** Writes the events of all letters and takes them back, batch by batch: nothing else knows what the outbox refuses. */
    RedriveProgress dryRun(Handle handle, RedriveOrder order) {
        int good = 0;
        int bad = 0;
        int most = order.limit() == null ? Integer.MAX_VALUE : order.limit();
        Cursor after = null;
        while (good < most) {
            int limit = Math.min(RedriveRun.BATCH, most - good);
            List<StoredLetter> letters = letters(handle, LETTERS, open(order, after), limit);
            if (letters.isEmpty()) {
                break;
            }
            int possible = tryOut(handle, order, letters);
            good += possible;
            bad += letters.size() - possible;
            StoredLetter last = letters.get(letters.size() - 1);
            after = new Cursor(last.letter().diedAt(), last.id());
        }
        return new RedriveProgress(new UUID(0, 0), RedriveProgress.State.DONE, good, bad);
    }

    private int tryOut(Handle handle, RedriveOrder order, List<StoredLetter> letters) {
        handle.begin();
        try {
            return write(handle, order, letters, new ArrayList<>()).size();
        } finally {
            handle.rollback();
        }
    }

    private static LetterWhere open(RedriveOrder order, @Nullable Cursor after) {
        return new LetterWhere(order.filter().state(LetterState.OPEN)).after(after);
    }

    private List<StoredLetter> letters(Handle handle, String sql, LetterWhere where, int limit) {
        return where.bind(handle.createQuery(tables.in(sql.formatted(where.sql()))))
                .bind("limit", limit)
                .map((row, context) -> LetterRow.read(row))
                .list();
    }

    /** Which letters have their event now; of the others there is an entry that says why not. */
    private Set<UUID> write(
            Handle transaction, RedriveOrder order, List<StoredLetter> letters, List<LetterAudit.Entry> entries) {
        Map<UUID, Event> events = new LinkedHashMap<>();
        for (StoredLetter letter : letters) {
            try {
                events.put(letter.id(), event(letter.letter(), order.patch()));
            } catch (IllegalArgumentException e) {
                entries.add(skipped(letter.id(), e));
            }
        }
        return write(transaction, events, entries);
    }

    private Event event(DeadLetter letter, @Nullable String patch) {
        Map<String, String> headers = new LinkedHashMap<>(letter.headers());
        String aggregate = letter.queue().equals(DeadEvent.ORIGIN) ? headers.remove(DeadEvent.AGGREGATE_ID) : null;
        // An event goes to all targets of its topic again, a job to where it died.
        String topic = aggregate == null ? RedriveOrder.topic(letter.queue(), letter.jobName()) : letter.jobName();
        if (!topics.contains(topic)) {
            throw new IllegalArgumentException("topic " + topic + " has no route");
        }
        // Also without a patch: what is not JSON is no payload of an event.
        String payload = patch == null ? letter.payload() : MergePatch.apply(letter.payload(), patch);
        MergePatch.check(payload);
        String about = aggregate == null ? letter.messageId() : aggregate;
        Event event = Event.of(topic, about, payload);
        return new Event(event.id(), topic, about, payload, headers)
                .withHeaders(Map.of(Job.MESSAGE_ID, letter.messageId()));
    }

    /** All at once; if PostgreSQL refuses that, one by one, so that one letter does not hold up the others. */
    private Set<UUID> write(Handle transaction, Map<UUID, Event> events, List<LetterAudit.Entry> entries) {
        if (tryWrite(transaction, List.copyOf(events.values())) == null) {
            return events.keySet();
        }
        Map<UUID, Event> written = new LinkedHashMap<>();
        events.forEach((id, event) -> {
            RuntimeException refused = tryWrite(transaction, List.of(event));
            if (refused == null) {
                written.put(id, event);
            } else {
                entries.add(skipped(id, refused));
            }
        });
        return written.keySet();
    }

    private @Nullable RuntimeException tryWrite(Handle transaction, List<Event> events) {
        transaction.savepoint("redrive");
        try {
            writer.write(transaction, events);
            transaction.releaseSavepoint("redrive");
            return null;
        } catch (JdbiException | IllegalArgumentException refused) {
            // Refused by the database, or by the writer before it.
            transaction.rollbackToSavepoint("redrive");
            return refused;
        }
    }

    private void close(Handle transaction, Set<UUID> letters, String why) {
        transaction
                .createUpdate(tables.in(CLOSE))
                .bind("why", why)
                .bind(
                        "ids",
                        String.join(",", letters.stream().map(UUID::toString).toList()))
                .execute();
    }

    private static LetterAudit.Entry skipped(UUID letter, RuntimeException e) {
        // The message of a database error may quote the payload.
        String why = e instanceof IllegalArgumentException ? "" + e.getMessage() : "the outbox refused its event";
        return new LetterAudit.Entry(letter, AuditEntry.Action.SKIPPED, why);
    }
}
