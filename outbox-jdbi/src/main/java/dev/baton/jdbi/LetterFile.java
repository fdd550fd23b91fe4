package dev.baton.jdbi;

import static java.util.Objects.requireNonNull;

import dev.baton.deadletter.AuditEntry;
import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.StoredLetter;
import dev.baton.internal.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Letters as NDJSON: one object per line, with the names of {@link StoredLetter}. */
final class LetterFile {
    private static final int BATCH = 200;

    private static final String INSERT = """
            INSERT INTO dead_letters
              (id, queue, message_id, job_id, job_name, payload, headers, reason, error_class, error, stack_trace, attempts,
               starts, first_failure_at, died_at, error_group, history, state, redrives, buried_at, closed_at, note)
            VALUES
              (:id, :queue, :messageId, :jobId, :jobName, :payload, :headers::jsonb, :reason, :errorClass, :error,
               :stackTrace, :attempts, :starts, :firstFailureAt, :diedAt, :group, :history::jsonb, :state, :redrives,
               :buriedAt, :closedAt, :note)
            ON CONFLICT DO NOTHING""";

    private final Jdbi jdbi;
    private final OutboxTables tables;
    private final String by;

    LetterFile(Jdbi jdbi, OutboxTables tables, String by) {
        this.jdbi = jdbi;
        this.tables = tables;
        this.by = by;
    }

    static int write(Appendable out, List<StoredLetter> letters) throws IOException {
        for (StoredLetter letter : letters) {
            out.append(Json.write(letter)).append('\n');
        }
        return letters.size();
    }

    long read(BufferedReader in) throws IOException {
        long added = 0;
        long number = 0;
        List<StoredLetter> letters = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            number++;
            if (!line.isBlank()) {
                letters.add(parse(line, number));
            }
            if (letters.size() == BATCH) {
                added += store(letters);
                letters.clear();
            }
        }
        return added + store(letters);
    }

    private static StoredLetter parse(String line, long number) {
        try {
            return whole(Json.read(line, StoredLetter.class));
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new IllegalArgumentException("line " + number + " is no dead letter: " + e.getMessage());
        }
    }

    /** A field that the line does not have is null whatever its type says. */
    private static StoredLetter whole(StoredLetter letter) {
        requireNonNull(letter.id(), "id");
        requireNonNull(letter.state(), "state");
        requireNonNull(letter.buriedAt(), "buriedAt");
        requireNonNull(letter.history(), "history");
        DeadLetter dead = requireNonNull(letter.letter(), "letter");
        requireNonNull(dead.queue(), "queue");
        requireNonNull(dead.jobId(), "jobId");
        requireNonNull(dead.jobName(), "jobName");
        requireNonNull(dead.payload(), "payload");
        requireNonNull(dead.headers(), "headers");
        requireNonNull(dead.reason(), "reason");
        requireNonNull(dead.firstFailureAt(), "firstFailureAt");
        requireNonNull(dead.diedAt(), "diedAt");
        return letter;
    }

    private int store(List<StoredLetter> letters) {
        try (Handle handle = jdbi.open()) {
            return handle.inTransaction(transaction -> {
                List<LetterAudit.Entry> added = new ArrayList<>();
                for (StoredLetter letter : letters) {
                    if (insert(transaction, letter)) {
                        added.add(new LetterAudit.Entry(letter.id(), AuditEntry.Action.IMPORTED, "import"));
                    }
                }
                new LetterAudit(tables).add(transaction, added, by, null);
                return added.size();
            });
        }
    }

    private boolean insert(Handle transaction, StoredLetter letter) {
        return LetterRow.bind(transaction.createUpdate(tables.in(INSERT)), letter.letter(), letter.history())
                        .bind("id", letter.id())
                        .bind("state", letter.state().name())
                        .bind("redrives", letter.redrives())
                        .bind("buriedAt", letter.buriedAt().atOffset(ZoneOffset.UTC))
                        .bind("closedAt", at(letter.closedAt()))
                        .bind("note", letter.note())
                        .execute()
                == 1;
    }

    private static @Nullable OffsetDateTime at(@Nullable Instant moment) {
        return moment == null ? null : moment.atOffset(ZoneOffset.UTC);
    }
}
