package dev.baton.servers;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The PostgreSQL server of this JVM. Instances are immutable and safe for use by several threads.
 *
 * <p>An embedded server or a container is gone when the JVM is gone, even after a {@code kill -9}. On a server named by
 * {@code DATABASE_URL} the schemas of {@link #freshSchema()} are dropped at a normal exit of the JVM; a crash leaves
 * them behind.
 */
public final class Postgres {

    private static final Once<Postgres> SERVER = new Once<>(PostgresStart::start);

    private final String jdbcUrl;
    private final String user;
    private final String password;
    private final String description;

    Postgres(String jdbcUrl, String user, String password, String description) {
        this.jdbcUrl = jdbcUrl;
        this.user = user;
        this.password = password;
        this.description = description;
    }

    /**
     * Returns the server, starting it on the first call. Any number of threads may call it: one starts the server, the
     * others wait for it. A failed start is not tried again.
     *
     * @return the server, ready to answer
     * @throws IllegalArgumentException if {@code DATABASE_URL} is set to something that is not a PostgreSQL URL
     * @throws IllegalStateException if the server does not start or does not answer
     */
    public static Postgres get() {
        return SERVER.get();
    }

    /**
     * Creates a new, empty schema on {@link #get() the server}, so that test classes do not see each other's tables.
     *
     * @return a JDBC URL like {@link #jdbcUrl()} whose connections create and find their tables in the new schema
     */
    public static String freshSchema() {
        Postgres server = get();
        return withParameter(server.jdbcUrl, "currentSchema", Schemas.create(server));
    }

    /**
     * Makes a data source without a pool: each connection is a new one.
     *
     * @param jdbcUrl {@link #jdbcUrl()} or a URL from {@link #freshSchema()}
     * @return a data source that knows the user and the password of {@link #get() the server}
     */
    public static DataSource dataSource(String jdbcUrl) {
        return get().source(jdbcUrl);
    }

    DataSource source(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url);
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    /**
     * Returns the JDBC URL of the database.
     *
     * @return the URL, without user and password
     */
    public String jdbcUrl() {
        return jdbcUrl;
    }

    /**
     * Returns the user.
     *
     * @return the name of a user who may create schemas
     */
    public String user() {
        return user;
    }

    /**
     * Returns the password.
     *
     * @return the password, empty if the server asks for none
     */
    public String password() {
        return password;
    }

    /**
     * Returns all of it in one string: a value of {@code DATABASE_URL} that makes another JVM use this very server.
     *
     * @return a JDBC URL with user and password; do not print it
     */
    public String databaseUrl() {
        return withParameter(withParameter(jdbcUrl, "user", user), "password", password);
    }

    /**
     * Says which server this is, for people to read.
     *
     * @return for example {@code PostgreSQL 18.6 embedded on port 41234}, never with the password
     */
    public String describe() {
        return description;
    }

    @Override
    public String toString() {
        return description;
    }

    static Postgres answering(String jdbcUrl, String user, String password, String where) throws SQLException {
        Postgres candidate = new Postgres(jdbcUrl, user, password, where);
        String version = Sql.text(candidate.source(jdbcUrl), "SHOW server_version");
        // Some builds add their own name: "16.2 (Debian 16.2-1)".
        String number = version.split(" ", 2)[0];
        return new Postgres(jdbcUrl, user, password, "PostgreSQL " + number + " " + where);
    }

    private static String withParameter(String url, String name, String value) {
        String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
        return url + (url.contains("?") ? "&" : "?") + name + "=" + encoded;
    }
}
