package dev.baton.jdbi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Compares the tables with what this version of the library needs. */
final class SchemaCheck {
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

    private static final List<String> INDEXES = List.of(
            "outbox_unpublished",
            "outbox_late",
            "outbox_batch",
            "outbox_parked_due",
            "outbox_parked_aggregate",
            "outbox_parked_dead");

    private final OutboxTables tables;

    SchemaCheck(OutboxTables tables) {
        this.tables = tables;
    }

    List<String> problems(Handle handle) {
        List<String> problems = new ArrayList<>();
        COLUMNS.forEach((table, columns) -> problems.addAll(columns(handle, table, columns)));
        INDEXES.forEach(index -> {
            String valid = indexState(handle, index);
            if (!valid.equals("valid")) {
                problems.add("index " + tables.name(index) + " is " + valid);
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

    /** Names of indexes that a build in progress, or one that failed, has left. */
    List<String> unfinishedIndexes(Handle handle) {
        return INDEXES.stream()
                .filter(index -> indexState(handle, index).equals("unfinished"))
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
        return handle.createQuery("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(?)")
                .bind(0, tables.name(index))
                .mapTo(Boolean.class)
                .findOne()
                .map(valid -> valid ? "valid" : "unfinished")
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

    private static boolean exists(Handle handle, String name) {
        return handle.createQuery("SELECT to_regclass(?) IS NOT NULL")
                .bind(0, name)
                .mapTo(Boolean.class)
                .one();
    }
}
