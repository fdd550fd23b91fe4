package dev.baton.idempotency;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/**
 * Creates the guards' tables, and a function of theirs, in the connection's current schema.
 *
 * <p>The files are {@code dev/baton/idempotency/V<n>__<what>.sql} in the jar; Flyway can run them from there
 * ({@code classpath:dev/baton/idempotency}) instead, with a history {@code table} of their own and {@code baselineOnMigrate} with
 * the {@code baselineVersion} 0, as the schema has other tables.
 */
public final class GuardSchema {
    /** Any number that no other user of advisory locks takes. */
    private static final long LOCK = 0xBA70_0000_0000_0003L;

    private static final List<String> VERSIONS = List.of("V1__processed_messages.sql", "V2__request_keys.sql");

    private GuardSchema() {}

    /** Brings the tables up to date; does nothing if they are. Any number of processes may call it at once. */
    public static void migrate(Jdbi jdbi) {
        jdbi.useTransaction(handle -> {
            handle.select("SELECT pg_advisory_xact_lock(?)", LOCK).mapToMap().one();
            VERSIONS.forEach(version -> run(handle, resource(version)));
        });
    }

    /**
     * What is missing or differs in the current schema, each with the name of the thing; empty if all is well. Changes nothing,
     * so it suits a service whose tables Flyway makes, at its start.
     */
    public static List<String> check(Jdbi jdbi) {
        return jdbi.withHandle(GuardCheck::problems);
    }

    /** As a whole: the driver knows where a statement ends, also in the body of a function. */
    private static void run(Handle handle, String script) {
        try (Statement statement = handle.getConnection().createStatement()) {
            // What looks like an escape of JDBC is SQL.
            statement.setEscapeProcessing(false);
            statement.execute(script);
        } catch (SQLException e) {
            throw new UnableToExecuteStatementException(e, null);
        }
    }

    private static String resource(String name) {
        try (InputStream in = GuardSchema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + name + "; it is broken");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
