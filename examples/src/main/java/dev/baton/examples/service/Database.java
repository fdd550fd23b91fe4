package dev.baton.examples.service;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.idempotency.GuardSchema;
import dev.baton.jdbi.OutboxSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jdbi.v3.core.Jdbi;

/** A pool of connections to a service's database, with all tables in place. */
public final class Database implements AutoCloseable {
    /** Any number that no other user of advisory locks takes. */
    private static final long LOCK = 0x5409_0000_0000_0001L;

    private final HikariDataSource pool;
    private final Jdbi jdbi;

    private Database(HikariDataSource pool) {
        this.pool = pool;
        this.jdbi = Jdbi.create(pool).registerArrayType(String.class, "text");
    }

    /**
     * Connects, and creates the tables that are missing: the outbox with the dead letters, the guard's, and those of the
     * file {@code schema.sql} beside this class. Any number of processes may do so at once: they wait for each other.
     *
     * @param url {@code postgres://user:password@host/database} or a JDBC URL
     * @throws RuntimeException if the database does not answer within five seconds
     */
    public static Database open(String url, Class<?> service) {
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl(jdbcUrl(url));
        settings.setMaximumPoolSize(10);
        settings.setConnectionTimeout(5_000);
        Database database = new Database(new HikariDataSource(settings));
        OutboxSchema.migrate(database.jdbi);
        GuardSchema.migrate(database.jdbi);
        database.jdbi.useTransaction(transaction -> {
            // IF NOT EXISTS alone is not enough: two sessions can both find nothing, and then one of them fails.
            transaction.execute("SELECT pg_advisory_xact_lock(?)", LOCK);
            transaction.createScript(schema(service)).execute();
        });
        return database;
    }

    /** For transactions. */
    public Jdbi jdbi() {
        return jdbi;
    }

    @Override
    public void close() {
        pool.close();
    }

    /** The JDBC driver knows no {@code postgres://user:password@..}, the usual form of a DATABASE_URL. */
    static String jdbcUrl(String url) {
        if (!url.startsWith("postgres")) {
            return url;
        }
        URI uri = URI.create(url);
        String[] user = (uri.getUserInfo() == null ? "" : uri.getUserInfo()).split(":", 2);
        return "jdbc:postgresql://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort()) + uri.getPath()
                + "?user=" + encoded(user[0])
                + (user.length > 1 ? "&password=" + encoded(user[1]) : "")
                + (uri.getRawQuery() == null ? "" : "&" + uri.getRawQuery());
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static String schema(Class<?> service) {
        try (InputStream in = service.getResourceAsStream("schema.sql")) {
            if (in == null) {
                throw new IllegalStateException("schema.sql is missing beside " + service.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
