package dev.baton.jdbi;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the tables of an outbox and of its dead letters are: in which schema, and what their names begin with. By default
 * they are in the connection's current schema and are called {@code outbox_events}, {@code dead_letters} and so on.
 */
public final class OutboxTables {
    private static final Pattern NAME = Pattern.compile("\\b(?:outbox_|dead_letter)\\w+");
    private static final Pattern ALLOWED = Pattern.compile("[^\"\\p{Cntrl}]{0,30}");

    /** In the current schema, without a prefix. */
    public static final OutboxTables DEFAULT = new OutboxTables("", "");

    private final String schema;
    private final String prefix;

    private OutboxTables(String schema, String prefix) {
        this.schema = check("schema", schema);
        this.prefix = check("prefix", prefix);
    }

    /**
     * The same in this schema, whatever the connection's current one is.
     *
     * @throws IllegalArgumentException if the name has more than 30 characters, a double quote or a control character
     */
    public OutboxTables inSchema(String name) {
        return new OutboxTables(name, prefix);
    }

    /**
     * The same under names that begin with this, such as {@code shop_}.
     *
     * @throws IllegalArgumentException if it has more than 30 characters, a double quote or a control character
     */
    public OutboxTables withPrefix(String begin) {
        return new OutboxTables(schema, begin);
    }

    /** A statement about {@code outbox_..} or {@code dead_letter..}, with these names instead: quoted, and in the schema. */
    String in(String sql) {
        return rename(sql, schema.isEmpty() ? "" : quoted(schema) + ".");
    }

    /** The same without the schema, for definitions: an index has no schema of its own. */
    String define(String sql) {
        return rename(sql, "");
    }

    /** A name as a value: what {@code regclass} reads. */
    String name(String table) {
        return in(table);
    }

    String schema() {
        return schema;
    }

    private String rename(String sql, String before) {
        return NAME.matcher(sql).replaceAll(name -> Matcher.quoteReplacement(before + quoted(prefix + name.group())));
    }

    static String quoted(String name) {
        return "\"" + name + "\"";
    }

    private static String check(String what, String name) {
        if (!ALLOWED.matcher(name).matches()) {
            throw new IllegalArgumentException("the " + what + " '" + name
                    + "' is too long, or has a double quote or a control character; at most 30 characters are allowed");
        }
        return name;
    }
}
