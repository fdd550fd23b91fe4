package dev.baton.jdbi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Creates the tables of the outbox and of the dead letters, in the connection's current schema unless told otherwise.
 *
 * <p>The files are {@code dev/baton/jdbi/V<n>__<what>.sql} in the jar; Flyway can run them from there
 * ({@code classpath:dev/baton/jdbi}) instead, with a history {@code table} of their own, {@code baselineOnMigrate} with the
 * {@code baselineVersion} 0 as the schema has other tables, and {@code flyway.postgresql.transactional.lock=false}: version 3 builds
 * indexes concurrently, which would wait for the transaction of Flyway's lock for ever.
 */
public final class OutboxSchema {
    /** Any number that no other user of advisory locks takes: "baton" in hexadecimal letters and a counter. */
    private static final long LOCK = 0xBA70_0000_0000_0001L;

    private static final String IF_NOT_EXISTS = " IF NOT EXISTS";
    private static final String LAST_TABLES = "V2__relay.sql";
    private static final String INDEXES = "V3__relay_indexes.sql";
    private static final String DEAD_LETTERS = "V4__dead_letters.sql";
    private static final int SMALL_TABLE_PAGES = 1_000;

    private final Jdbi jdbi;
    private final OutboxTables tables;
    private final SchemaCheck check;

    private OutboxSchema(Jdbi jdbi, OutboxTables tables) {
        this.jdbi = jdbi;
        this.tables = tables;
        this.check = new SchemaCheck(tables);
    }

    /** The same as {@link #migrate(Jdbi, OutboxTables)} with the default names. */
    public static void migrate(Jdbi jdbi) {
        migrate(jdbi, OutboxTables.DEFAULT);
    }

    /**
     * Brings the tables up to date; looks and does nothing if they are. The schema must exist.
     *
     * <p>A table in use is locked for milliseconds: columns are added without rewriting it, indexes of a table that is not
     * small are built concurrently. A statement that does not get its lock within 250 ms gives way, so that nobody queues
     * behind it for longer, and is tried again a second later; an index waits for transactions that are older, and nobody for it.
     * Through a pooler this needs a session of its own.
     *
     * <p><b>Threads.</b> Any number of processes may call it at once: they wait for each other.
     *
     * <p><b>Delivery.</b> After a crash the tables are as they were, or some steps are done; call it again.
     *
     * @throws IllegalStateException if a lock is not to be had within a minute; nothing has changed then, or whole steps
     * @throws RuntimeException if the database cannot be reached
     */
    public static void migrate(Jdbi jdbi, OutboxTables tables) {
        new OutboxSchema(jdbi, tables).migrate();
    }

    /**
     * What is missing or differs, each with the name of the thing; empty if all is well.
     */
    public static List<String> check(Jdbi jdbi, OutboxTables tables) {
        return jdbi.withHandle(new SchemaCheck(tables)::problems);
    }

    private void migrate() {
        try (Handle handle = jdbi.open()) {
            if (check.problems(handle).isEmpty()) {
                return;
            }
            SchemaLock.hold(handle, LOCK, () -> {
                if (!check.problems(handle).isEmpty()) {
                    SchemaLock.patiently(() -> createTables(handle));
                    createIndexes(handle);
                }
            });
        }
    }

    private void createTables(Handle handle) {
        handle.useTransaction(transaction -> {
            transaction.execute(SchemaLock.LOCK_TIMEOUT);
            useSchema(transaction, true);
            for (String file : List.of("V1__outbox.sql", LAST_TABLES, DEAD_LETTERS)) {
                statements(file).filter(sql -> !isIndex(sql)).forEach(transaction::execute);
            }
            if (isSmall(transaction)) {
                indexes("CREATE INDEX").forEach(transaction::execute);
            }
        });
    }

    /** One by one and not in a transaction. What an earlier try left unfinished, or another version, is in the way. */
    private void createIndexes(Handle handle) {
        useSchema(handle, false);
        try {
            check.uselessIndexes(handle)
                    .forEach(
                            index -> handle.execute("DROP INDEX CONCURRENTLY IF EXISTS " + OutboxTables.quoted(index)));
            indexes("CREATE INDEX CONCURRENTLY").forEach(handle::execute);
        } finally {
            handle.execute("RESET search_path");
        }
    }

    private Stream<String> indexes(String create) {
        return Stream.of(LAST_TABLES, INDEXES, DEAD_LETTERS)
                .flatMap(this::statements)
                .filter(OutboxSchema::isIndex)
                .map(sql -> create + sql.substring(sql.indexOf(IF_NOT_EXISTS)));
    }

    private static boolean isIndex(String sql) {
        return sql.startsWith("CREATE INDEX");
    }

    private void useSchema(Handle handle, boolean local) {
        if (!tables.schema().isEmpty()) {
            handle.execute("SET " + (local ? "LOCAL " : "") + "search_path TO " + OutboxTables.quoted(tables.schema()));
        }
    }

    private boolean isSmall(Handle handle) {
        return handle.createQuery(
                        "SELECT greatest(pg_relation_size(to_regclass(?)), pg_relation_size(to_regclass(?))) < ? * 8192")
                .bind(0, tables.define("outbox_events"))
                .bind(1, tables.define("dead_letters"))
                .bind(2, SMALL_TABLE_PAGES)
                .mapTo(Boolean.class)
                .one();
    }

    /** The files have no semicolons but those that end a statement. */
    private Stream<String> statements(String file) {
        String withoutComments = resource(file).replaceAll("(?m)--.*$", "");
        return Stream.of(withoutComments.split(";", -1))
                .map(String::strip)
                .filter(sql -> !sql.isEmpty())
                .map(tables::define);
    }

    private static String resource(String name) {
        try (InputStream in = OutboxSchema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + name + "; it is broken");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
