package dev.baton.examples.relay;

import dev.baton.jdbi.OutboxSchema;
import dev.baton.servers.Gate;
import dev.baton.servers.Postgres;
import java.net.URI;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.postgresql.ds.PGSimpleDataSource;

/** An outbox in a schema of its own, and a role that may do what a relay does, and no more. */
final class RelayRole {
    private final String url = Postgres.freshSchema();
    private final String schema = url.replaceAll(".*currentSchema=", "");
    private final String password = UUID.randomUUID().toString();
    private final String name = schema + "_relay";
    private final Jdbi owner = Jdbi.create(Postgres.dataSource(url));

    RelayRole() {
        OutboxSchema.migrate(owner);
        owner.useHandle(handle -> {
            handle.execute("CREATE ROLE " + name + " LOGIN PASSWORD '" + password + "'");
            handle.execute("GRANT USAGE ON SCHEMA " + schema + " TO " + name);
            handle.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema + " TO " + name);
            handle.execute("GRANT SELECT, USAGE, UPDATE ON ALL SEQUENCES IN SCHEMA " + schema + " TO " + name);
        });
    }

    URI server() {
        return URI.create(url.substring("jdbc:".length()));
    }

    /** The one who writes, and looks. */
    Jdbi owner() {
        return owner;
    }

    Jdbi through(Gate gate) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url.replace(server().getAuthority(), "127.0.0.1:" + gate.port()));
        source.setUser(name);
        source.setPassword(password);
        return Jdbi.create(source);
    }

    /** For sessions that begin from now on. */
    void readOnly(boolean on) {
        owner.useHandle(handle -> handle.execute("ALTER ROLE " + name + " SET default_transaction_read_only = " + on));
    }

    long published() {
        return number("SELECT count(*) FROM outbox_events WHERE published_at IS NOT NULL");
    }

    long lastWritten() {
        return number("SELECT max(seq) FROM outbox_events");
    }

    long unpublishedUpTo(long seq) {
        return number("SELECT count(*) FROM outbox_events WHERE published_at IS NULL AND seq <= " + seq);
    }

    void drop() {
        owner.useHandle(handle -> handle.execute("DROP OWNED BY " + name));
        owner.useHandle(handle -> handle.execute("DROP ROLE " + name));
    }

    private long number(String sql) {
        return owner.withHandle(
                handle -> handle.createQuery(sql).mapTo(Long.class).one());
    }
}
