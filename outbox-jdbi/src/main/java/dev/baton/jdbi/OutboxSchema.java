package dev.baton.jdbi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/**
 * Creates the tables of the outbox and of the dead letters in the connection's current schema.
 *
 * <p>The files are {@code dev/baton/jdbi/V<n>__<what>.sql} in the jar; Flyway can run them from there
 * ({@code classpath:dev/baton/jdbi}) instead.
 */
public final class OutboxSchema {
    /** Any number that no other user of advisory locks takes: "baton" in hexadecimal letters and a counter. */
    private static final long LOCK = 0xBA70_0000_0000_0001L;

    private static final List<String> VERSIONS = List.of("V1__outbox.sql", "V3__dead_letters.sql");

    private OutboxSchema() {}

    /**
     * Brings the tables up to date; does nothing if they are.
     *
     * <p><b>Threads.</b> Any number of processes may call it at once: they wait for each other.
     *
     * <p><b>Delivery.</b> One transaction: after a crash the tables are as they were.
     */
    public static void migrate(Jdbi jdbi) {
        jdbi.useTransaction(handle -> {
            handle.select("SELECT pg_advisory_xact_lock(?)", LOCK).mapToMap().one();
            VERSIONS.forEach(version -> handle.createScript(resource(version)).execute());
        });
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
