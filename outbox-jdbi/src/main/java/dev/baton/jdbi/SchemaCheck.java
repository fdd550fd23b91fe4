package dev.baton.jdbi;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Compares the tables with what this version of the library needs. */
final class SchemaCheck {
    private static final String VALID = "valid";
    private static final String UNFINISHED = "unfinished";
    private static final String DIFFERENT = "another one than this version needs";

    private static final Map<String, List<String>> COLUMNS = new LinkedHashMap<>();

    static {
        COLUMNS.put(
                "outbox_events",
                List.of(
                        "seq bigint",
                        "id uuid",
                        "topic text",
                        "aggregate_id text",
                        "payload jsonb",
                        "headers jsonb",
                        "created_at timestamp with time zone",
                        "published_at timestamp with time zone",
                        "hash integer",
                        "xact_id xid8",
                        "batch bigint",
                        "not_before timestamp with time zone"));
        COLUMNS.put(
                "outbox_parked",
                List.of(
                        "seq bigint",
                        "id uuid",
                        "hash integer",
                        "aggregate_id text",
                        "blocks boolean",
                        "attempts integer",
                        "due_at timestamp with time zone",
                        "dead boolean",
                        "buried boolean",
                        "reason text",
                        "accepted text[]",
                        "first_failure_at timestamp with time zone",
                        "last_failure_at timestamp with time zone"));
        COLUMNS.put(
                "dead_letters",
                List.of("id uuid", "queue text", "message_id text", "state text", "error_group text", "history jsonb"));
        COLUMNS.put("dead_letter_audit", List.of("letter_id uuid", "action text", "redrive_id uuid"));
        COLUMNS.put("dead_letter_redrives", List.of("id uuid", "state text", "filter jsonb", "paced integer"));
        COLUMNS.put("outbox_routes", List.of("topic text", "sink text", "since bigint"));
        COLUMNS.put("outbox_settings", List.of("name text", "value text"));
    }

    /** Each with its columns, and what its condition must contain. */
    private static final Map<String, Index> INDEXES = new LinkedHashMap<>();

    static {
        INDEXES.put("outbox_unpublished", new Index("seq", "(seq > 0)"));
        INDEXES.put("outbox_late", new Index("xact_id", "(xact_id IS NOT NULL)"));
        INDEXES.put("outbox_batch", new Index("batch", "(published_at IS NOT NULL)"));
        INDEXES.put("outbox_parked_due", new Index("due_at", ""));
        INDEXES.put("outbox_parked_aggregate", new Index("aggregate_id, seq", ""));
        INDEXES.put("outbox_parked_dead", new Index("seq", ""));
        INDEXES.put("dead_letters_died", new Index("state, died_at, id", ""));
        INDEXES.put("dead_letters_queue", new Index("state, queue, died_at, id", ""));
        INDEXES.put("dead_letters_job", new Index("state, job_name, died_at, id", ""));
        INDEXES.put("dead_letters_class", new Index("state, error_class, died_at, id", ""));
        INDEXES.put("dead_letters_reason", new Index("state, reason, died_at, id", ""));
        INDEXES.put("dead_letters_group", new Index("state, error_group, died_at, id", ""));
        INDEXES.put("dead_letters_closed", new Index("closed_at", ""));
    }

    private final OutboxTables tables;

    SchemaCheck(OutboxTables tables) {
        this.tables = tables;
    }

    List<String> problems(Handle handle) {
        List<String> problems = new ArrayList<>();
        COLUMNS.forEach((table, columns) -> problems.addAll(columns(handle, table, columns)));
        INDEXES.keySet().forEach(index -> {
            String state = indexState(handle, index);
            if (!state.equals(VALID)) {
                problems.add("index " + tables.name(index) + " is " + state);
            }
        });
        if (!exists(handle, tables.name("outbox_batches"))) {
            problems.add("sequence " + tables.name("outbox_batches") + " is missing");
        }
        if (problems.isEmpty() && !lateHasDefault(handle)) {
            problems.add("column xact_id of " + tables.name("outbox_events")
                    + " has not the default pg_current_xact_id(); events that commit late would be stranded");
        }
        return problems;
    }

    /** Names of indexes that are in the way: what a build that failed has left, and those of another version. */
    List<String> uselessIndexes(Handle handle) {
        return INDEXES.keySet().stream()
                .filter(index -> List.of(UNFINISHED, DIFFERENT).contains(indexState(handle, index)))
                .map(tables::define)
                .map(name -> name.substring(1, name.length() - 1))
                .toList();
    }

    private List<String> columns(Handle handle, String table, List<String> needed) {
        if (!exists(handle, tables.name(table))) {
            return List.of("table " + tables.name(table) + " is missing");
        }
        List<String> there = handle.createQuery("""
                        SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute
                        WHERE attrelid = CAST(? AS regclass) AND attnum > 0 AND NOT attisdropped""")
                .bind(0, tables.name(table))
                .mapTo(String.class)
                .list();
        return needed.stream()
                .filter(column -> !there.contains(column))
                .map(column -> "column " + column + " of " + tables.name(table) + " is missing or has another type")
                .toList();
    }

    private String indexState(Handle handle, String index) {
        return handle.createQuery("""
                        SELECT CASE WHEN NOT indisvalid THEN :unfinished
                                    WHEN :columns <> (SELECT string_agg(pg_get_indexdef(indexrelid, k, true), ', ' ORDER BY k)
                                                      FROM generate_series(1, indnkeyatts) AS k) THEN :different
                                    WHEN position(:condition IN coalesce(pg_get_expr(indpred, indrelid), '')) = 0 THEN :different
                                    ELSE :valid END
                        FROM pg_index WHERE indexrelid = to_regclass(:name)""")
                .bind("name", tables.name(index))
                .bind("columns", requireNonNull(INDEXES.get(index)).columns())
                .bind("condition", requireNonNull(INDEXES.get(index)).condition())
                .bind("unfinished", UNFINISHED)
                .bind("different", DIFFERENT)
                .bind("valid", VALID)
                .mapTo(String.class)
                .findOne()
                .orElse("missing");
    }

    private boolean lateHasDefault(Handle handle) {
        return handle.createQuery("""
                        SELECT coalesce(pg_get_expr(d.adbin, d.adrelid), '') LIKE '%pg_current_xact_id()%'
                        FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
                        WHERE a.attrelid = CAST(? AS regclass) AND a.attname = 'xact_id'""")
                .bind(0, tables.name("outbox_events"))
                .mapTo(Boolean.class)
                .one();
    }

    private record Index(String columns, String condition) {}

    private static boolean exists(Handle handle, String name) {
        return handle.createQuery("SELECT to_regclass(?) IS NOT NULL")
                .bind(0, name)
                .mapTo(Boolean.class)
                .one();
    }
}
