package dev.baton.jdbi;

import dev.baton.deadletter.AuditEntry;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** The rows of {@code dead_letter_audit}; they stay when their letter is gone. */
final class LetterAudit {
    private static final String ADD = """
            INSERT INTO dead_letter_audit (letter_id, action, by_whom, why, redrive_id)
            VALUES (:letter, :action, :by, :why, CAST(:redrive AS uuid))""";

    private static final String OF = "SELECT * FROM dead_letter_audit WHERE letter_id = ? ORDER BY seq";

    private final OutboxTables tables;

    LetterAudit(OutboxTables tables) {
        this.tables = tables;
    }

    /** Writes an entry per letter, in the caller's transaction. */
    void add(Handle transaction, List<Entry> entries, String by, @Nullable UUID redrive) {
        if (entries.isEmpty()) {
            return;
        }
        PreparedBatch batch = transaction.prepareBatch(tables.in(ADD));
        entries.forEach(entry -> batch.bind("letter", entry.letter)
                .bind("action", entry.action.name())
                .bind("by", by)
                .bind("why", LetterRow.storable(entry.why))
                .bind("redrive", redrive)
                .add());
        batch.execute();
    }

    /** Writes an entry of a run, in the caller's transaction: under the run's own id, as letters have other ones. */
    void add(Handle transaction, UUID run, AuditEntry.Action action, String by, String why) {
        add(transaction, List.of(new Entry(run, action, why)), by, run);
    }

    /** @param letter or run */
    List<AuditEntry> of(Handle handle, UUID letter) {
        return handle.createQuery(tables.in(OF))
                .bind(0, letter)
                .map((row, context) -> new AuditEntry(
                        LetterRow.moment(row, "at"),
                        AuditEntry.Action.valueOf(row.getString("action")),
                        row.getString("by_whom"),
                        row.getString("why"),
                        row.getObject("redrive_id", UUID.class)))
                .list();
    }

    record Entry(UUID letter, AuditEntry.Action action, String why) {}
}
