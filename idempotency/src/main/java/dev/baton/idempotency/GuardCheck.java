package dev.baton.idempotency;

import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Compares the guards' tables with what this version of the library needs. */
final class GuardCheck {
    private static final String EXISTS = "SELECT to_regclass(?) IS NOT NULL";

    private static final String COLUMNS = """
            SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute
            WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped""";

    // Without it nothing tells a repeat, and nothing fails. The order of its columns is a matter of speed.
    private static final String KEY = """
            SELECT EXISTS (
              SELECT FROM pg_index
              WHERE indrelid = to_regclass(?) AND indisunique AND indisvalid AND indimmediate AND indpred IS NULL
                AND (SELECT string_agg(attname, ',' ORDER BY attname) FROM pg_attribute
                     WHERE attrelid = indrelid AND attnum = ANY (indkey)) = ?)""";

    private static final String MARK = "SELECT to_regprocedure('processed_messages_mark(text,text[])') IS NOT NULL";

    private static final List<Table> TABLES = List.of(
            new Table(
                    "processed_messages",
                    "consumer,message_id",
                    List.of("consumer text", "message_id text", "processed_at timestamp with time zone")),
            new Table(
                    "request_keys",
                    "consumer,key",
                    List.of(
                            "consumer text",
                            "key text",
                            "fingerprint text",
                            "state text",
                            "owner text",
                            "fence bigint",
                            "lease_end timestamp with time zone",
                            "result text",
                            "started_at timestamp with time zone",
                            "finished_at timestamp with time zone")));

    private GuardCheck() {}

    static List<String> problems(Handle handle) {
        List<String> problems = new ArrayList<>();
        for (Table table : TABLES) {
            if (is(handle, EXISTS, table.name)) {
                problems.addAll(problems(handle, table));
            } else {
                problems.add("table " + table.name + " is missing");
            }
        }
        if (!is(handle, MARK)) {
            problems.add("function processed_messages_mark(text, text[]) is missing");
        }
        for (String name : List.of("request_fence", "request_keys_age")) {
            if (!is(handle, EXISTS, name)) {
                problems.add((name.endsWith("fence") ? "sequence " : "index ") + name + " is missing");
            }
        }
        return problems;
    }

    private static List<String> problems(Handle handle, Table table) {
        List<String> there = handle.createQuery(COLUMNS)
                .bind(0, table.name)
                .mapTo(String.class)
                .list();
        List<String> problems = new ArrayList<>();
        table.columns.stream()
                .filter(column -> !there.contains(column))
                .forEach(column ->
                        problems.add("column " + column + " of " + table.name + " is missing or has another type"));
        if (!is(handle, KEY, table.name, table.key)) {
            problems.add("table " + table.name + " has no unique key of (" + table.key.replace(",", ", ")
                    + "); repeats would not be told");
        }
        return problems;
    }

    private static boolean is(Handle handle, String question, Object... values) {
        return handle.select(question, values).mapTo(Boolean.class).one();
    }

    /** @param key the columns of the unique key, by name */
    private record Table(String name, String key, List<String> columns) {}
}
