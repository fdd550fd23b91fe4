package dev.baton.jdbi;

import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.LetterPage;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * A filter as SQL. Only the conditions that there are, because PostgreSQL picks the index by what stands in the statement;
 * all values are bound.
 */
final class LetterWhere {
    private final List<String> conditions = new ArrayList<>(List.of("true"));
    private final Map<String, Object> values = new LinkedHashMap<>();

    LetterWhere(LetterFilter filter) {
        if (filter.ids() != null) {
            and(
                    "id = ANY (CAST(string_to_array(:ids, ',') AS uuid[]))",
                    "ids",
                    String.join(",", filter.ids().stream().map(Object::toString).toList()));
        }
        if (filter.state() != null) {
            // As a literal, from an enum: a bound value would not match the index on the open ones.
            conditions.add("state = '" + filter.state().name() + "'");
        }
        and("queue = :queue", "queue", filter.queue());
        and("job_name = :jobName", "jobName", filter.jobName());
        and(
                "reason = :reason",
                "reason",
                filter.reason() == null ? null : filter.reason().name());
        and("error_class = :errorClass", "errorClass", filter.errorClass());
        and("error_group = :group", "group", filter.group());
        and("died_at >= :diedFrom", "diedFrom", filter.diedFrom());
        and("died_at < :diedBefore", "diedBefore", filter.diedBefore());
    }

    /** Also behind this letter. */
    LetterWhere after(LetterPage.@Nullable Cursor cursor) {
        if (cursor != null) {
            and("(died_at, id) > (:afterDied, :afterId)", "afterDied", cursor.diedAt());
            values.put("afterId", cursor.id());
        }
        return this;
    }

    /** Also buried no later. */
    LetterWhere buriedUntil(Instant moment) {
        return and("buried_at <= :buriedUntil", "buriedUntil", moment);
    }

    String sql() {
        return String.join(" AND ", conditions);
    }

    <S extends SqlStatement<S>> S bind(S statement) {
        values.forEach((name, value) ->
                statement.bind(name, value instanceof Instant moment ? moment.atOffset(ZoneOffset.UTC) : value));
        return statement;
    }

    private LetterWhere and(String condition, String name, @Nullable Object value) {
        if (value != null) {
            conditions.add(condition);
            values.put(name, value);
        }
        return this;
    }
}
