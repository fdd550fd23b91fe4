package dev.baton.jdbi;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import dev.baton.failure.DeathReason;
import dev.baton.internal.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Dead letters in the table {@code dead_letters}. Thread-safe. */
public final class JdbiDeadLetterStore implements DeadLetterStore {
    // One row per (queue, job): a letter buried again, after a crash or a second death, replaces what was known, and is
    // open again only if the job died later than we knew.
    private static final String BURY = """
            INSERT INTO dead_letters AS known
              (queue, job_id, job_name, payload, headers, reason, error_class, error, stack_trace, attempts, starts,
               first_failure_at, died_at)
            VALUES
              (:queue, :jobId, :jobName, :payload, :headers::jsonb, :reason, :errorClass, :error, :stackTrace, :attempts,
               :starts, :firstFailureAt, :diedAt)
            ON CONFLICT (queue, job_id) DO UPDATE SET
              job_name = excluded.job_name, payload = excluded.payload, headers = excluded.headers,
              reason = excluded.reason, error_class = excluded.error_class, error = excluded.error,
              stack_trace = excluded.stack_trace, attempts = excluded.attempts, starts = excluded.starts,
              first_failure_at = excluded.first_failure_at, died_at = excluded.died_at, buried_at = now(),
              closed_at = NULL
            WHERE known.died_at < excluded.died_at""";

    private static final String OPEN = """
            SELECT queue, job_id, job_name, payload, headers::text AS headers, reason, error_class, error, stack_trace,
                   attempts, starts, first_failure_at, died_at
            FROM dead_letters
            WHERE closed_at IS NULL
            ORDER BY died_at, id
            LIMIT ?""";

    private final Jdbi jdbi;

    /**
     * A store in this database.
     *
     * @param jdbi for the database whose current schema holds the table; never closed by the store
     */
    public JdbiDeadLetterStore(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    @Override
    public void bury(List<DeadLetter> letters) {
        if (letters.isEmpty()) {
            return;
        }
        // A handle of its own: in a transaction of the caller's the letters would be confirmed before they are
        // committed.
        try (Handle handle = jdbi.open()) {
            handle.useTransaction(transaction -> {
                PreparedBatch batch = transaction.prepareBatch(BURY);
                letters.forEach(letter -> bind(batch, letter).add());
                batch.execute();
            });
        }
    }

    @Override
    public List<DeadLetter> open(int limit) {
        return jdbi.withHandle(handle -> handle.createQuery(OPEN)
                .bind(0, limit)
                .map((row, context) -> letter(row))
                .list());
    }

    private static PreparedBatch bind(PreparedBatch batch, DeadLetter letter) {
        return batch.bind("queue", letter.queue())
                .bind("jobId", letter.jobId())
                .bind("jobName", letter.jobName())
                .bind("payload", storable(letter.payload()))
                .bind("headers", Json.write(letter.headers()))
                .bind("reason", letter.reason().name())
                .bind("errorClass", letter.errorClass())
                .bind("error", storable(letter.error()))
                .bind("stackTrace", letter.stackTrace() == null ? null : storable(letter.stackTrace()))
                .bind("attempts", letter.attempts())
                .bind("starts", letter.starts())
                .bind("firstFailureAt", letter.firstFailureAt().atOffset(ZoneOffset.UTC))
                .bind("diedAt", letter.diedAt().atOffset(ZoneOffset.UTC));
    }

    /** PostgreSQL's text has no place for U+0000. A letter must never be refused, so the character is shown instead. */
    private static String storable(String text) {
        return text.replace("\u0000", "\u2400");
    }

    private static DeadLetter letter(ResultSet row) throws SQLException {
        return new DeadLetter(
                row.getString("queue"),
                row.getString("job_id"),
                row.getString("job_name"),
                row.getString("payload"),
                Json.readStrings(row.getString("headers")),
                DeathReason.valueOf(row.getString("reason")),
                row.getString("error_class"),
                row.getString("error"),
                row.getString("stack_trace"),
                row.getInt("attempts"),
                row.getInt("starts"),
                instant(row, "first_failure_at"),
                instant(row, "died_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
