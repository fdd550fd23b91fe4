package dev.baton.jdbi;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.Death;
import dev.baton.deadletter.ErrorGroup;
import dev.baton.deadletter.LetterState;
import dev.baton.deadletter.StoredLetter;
import dev.baton.failure.DeathReason;
import dev.baton.internal.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** A row of {@code dead_letters}, there and back. */
final class LetterRow {
    static final String COLUMNS = "id, queue, job_id, job_name, payload, headers::text AS headers, reason, error_class,"
            + " error, stack_trace, attempts, starts, first_failure_at, died_at, error_group, state, redrives,"
            + " history::text AS history, buried_at, closed_at, note";

    private LetterRow() {}

    /** Everything but the id and what the store itself says about the letter. */
    static <S extends SqlStatement<S>> S bind(S statement, DeadLetter letter, List<Death> history) {
        return statement
                .bind("queue", storable(letter.queue()))
                .bind("messageId", storable(letter.messageId()))
                .bind("jobId", storable(letter.jobId()))
                .bind("jobName", storable(letter.jobName()))
                .bind("payload", storable(letter.payload()))
                .bind("headers", storableJson(Json.write(letter.headers())))
                .bind("reason", letter.reason().name())
                .bind("errorClass", letter.errorClass() == null ? null : storable(letter.errorClass()))
                .bind("error", storable(letter.error()))
                .bind("stackTrace", letter.stackTrace() == null ? null : storable(letter.stackTrace()))
                .bind("attempts", letter.attempts())
                .bind("starts", letter.starts())
                .bind("firstFailureAt", letter.firstFailureAt().atOffset(ZoneOffset.UTC))
                .bind("diedAt", letter.diedAt().atOffset(ZoneOffset.UTC))
                .bind("group", ErrorGroup.of(letter))
                .bind("history", storableJson(Json.write(history)));
    }

    /** What tells this death from others of the same message, as a part of an entry of the history. */
    static String death(DeadLetter letter) {
        return storableJson(Json.write(List.of(new DeathKey(letter.jobId(), letter.diedAt()))));
    }

    static StoredLetter read(ResultSet row) throws SQLException {
        return new StoredLetter(
                row.getObject("id", UUID.class),
                letter(row),
                LetterState.valueOf(row.getString("state")),
                row.getInt("redrives"),
                row.getString("error_group"),
                List.of(Json.read(row.getString("history"), Death[].class)),
                moment(row, "buried_at"),
                nullableMoment(row, "closed_at"),
                row.getString("note"));
    }

    static DeadLetter letter(ResultSet row) throws SQLException {
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
                moment(row, "first_failure_at"),
                moment(row, "died_at"));
    }

    static Instant moment(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static @Nullable Instant nullableMoment(ResultSet row, String column) throws SQLException {
        OffsetDateTime moment = row.getObject(column, OffsetDateTime.class);
        return moment == null ? null : moment.toInstant().truncatedTo(ChronoUnit.MICROS);
    }

    /** PostgreSQL's text has no place for U+0000. A letter must never be refused, so the character is shown instead. */
    static String storable(String text) {
        return text.replace("\u0000", "\u2400");
    }

    private static String storableJson(String json) {
        return json.replace("\\u0000", "\\u2400");
    }

    /** Named as in {@link Death}. */
    private record DeathKey(String jobId, Instant diedAt) {}
}
