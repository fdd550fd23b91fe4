package dev.baton.examples.shop;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jdbi.v3.core.Jdbi;

/** The pool of connections to the shop's database, with all tables in place. */
public final class ShopDatabase implements AutoCloseable {
    private final HikariDataSource pool;
    private final Jdbi jdbi;

    private ShopDatabase(HikariDataSource pool) {
        this.pool = pool;
        this.jdbi = Jdbi.create(pool);
    }

    /**
     * Connects, and creates the tables that are missing.
     *
     * @throws RuntimeException if the database does not answer within five seconds
     */
    public static ShopDatabase open(ShopConfig config) {
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl(jdbcUrl(config.databaseUrl()));
        settings.setMaximumPoolSize(10);
        settings.setConnectionTimeout(5_000);
        ShopDatabase database = new ShopDatabase(new HikariDataSource(settings));
        ShopSchema.migrate(database.jdbi);
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
}
