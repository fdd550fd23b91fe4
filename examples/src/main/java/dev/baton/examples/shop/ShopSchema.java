package dev.baton.examples.shop;

import dev.baton.idempotency.GuardSchema;
import dev.baton.jdbi.OutboxSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jdbi.v3.core.Jdbi;

/** Creates all tables that the shop needs: its own, the outbox with the dead letters, and the guard's. */
public final class ShopSchema {
    /** Any number that no other user of advisory locks takes. */
    private static final long LOCK = 0x5409_0000_0000_0001L;

    private ShopSchema() {}

    /** Creates what is missing. Any number of processes may call it at once: they wait for each other. */
    public static void migrate(Jdbi jdbi) {
        OutboxSchema.migrate(jdbi);
        GuardSchema.migrate(jdbi);
        jdbi.useTransaction(transaction -> {
            // IF NOT EXISTS alone is not enough: two sessions can both find nothing, and then one of them fails.
            transaction.execute("SELECT pg_advisory_xact_lock(?)", LOCK);
            transaction.createScript(resource("schema.sql")).execute();
        });
    }

    private static String resource(String name) {
        try (InputStream in = ShopSchema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing beside " + ShopSchema.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
