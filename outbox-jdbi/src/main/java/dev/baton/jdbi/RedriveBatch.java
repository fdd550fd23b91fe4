package dev.baton.jdbi;

import dev.baton.deadletter.AuditEntry;
import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.LetterFilter;
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
import java.time.Instant;
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
            "SELECT " + LetterRow.COLUMNS + " FROM dead_letters WHERE %s ORDER BY died_at, id LIMIT :limit FOR UPDATE";

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
        return letters(transaction, run.order().filter(), run.createdAt(), run.after(), limit);
    }

    /** Sends them back, in their order. Returns how many; the others stay open. */
    int send(Handle transaction, RedriveRun run, List<StoredLetter> letters) {
        Map<UUID, Event> events = new LinkedHashMap<>();
        List<LetterAudit.Entry> entries = new ArrayList<>();
        for (StoredLetter letter : letters) {
            try {
                events.put(letter.id(), event(letter.letter(), run.order().patch()));
            } catch (IllegalArgumentException e) {
                entries.add(skipped(letter.id(), e));
            }
        }
        Set<UUID> written = write(transaction, events, entries);
        written.forEach(id -> entries.add(new LetterAudit.Entry(
                id, AuditEntry.Action.REDRIVEN, run.order().why())));
        close(transaction, written, run.order().why());
        audit.add(transaction, entries, run.order().by(), run.id());
        return written.size();
    }

    RedriveProgress dryRun(Handle handle, RedriveOrder order) {
        int good = 0;
        int bad = 0;
        int most = order.limit() == null ? Integer.MAX_VALUE : order.limit();
        Cursor after = null;
        while (good < most) {
            List<StoredLetter> letters =
                    letters(handle, order.filter(), null, after, Math.min(RedriveRun.BATCH, most - good));
            if (letters.isEmpty()) {
                break;
            }
            for (StoredLetter letter : letters) {
                boolean possible = isPossible(letter.letter(), order.patch());
                good += possible ? 1 : 0;
                bad += possible ? 0 : 1;
                after = new Cursor(letter.letter().diedAt(), letter.id());
            }
        }
        return new RedriveProgress(new UUID(0, 0), RedriveProgress.State.DONE, good, bad);
    }

    private List<StoredLetter> letters(
            Handle handle, LetterFilter filter, @Nullable Instant buriedUntil, @Nullable Cursor after, int limit) {
        LetterWhere where = new LetterWhere(filter.state(LetterState.OPEN)).after(after);
        if (buriedUntil != null) {
            where.buriedUntil(buriedUntil);
        }
        return where.bind(handle.createQuery(tables.in(LETTERS.formatted(where.sql()))))
                .bind("limit", limit)
                .map((row, context) -> LetterRow.read(row))
                .list();
    }

    private boolean isPossible(DeadLetter letter, @Nullable String patch) {
        try {
            event(letter, patch);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
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
