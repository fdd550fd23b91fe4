package dev.baton.servers;

import java.sql.SQLException;

/** Chooses the PostgreSQL server: named, in a container or embedded. */
final class PostgresStart {

    private static final String VARIABLE = "DATABASE_URL";

    private PostgresStart() {}

    static Postgres start() {
        return Took.logged(PostgresStart::choose, Postgres::describe);
    }

    private static Postgres choose() {
        String named = System.getenv(VARIABLE);
        if (named != null && !named.isBlank()) {
            return named(DatabaseUrl.parse(VARIABLE, named));
        }
        return Docker.answers() ? Containers.postgres() : EmbeddedPostgresServer.start();
    }

    private static Postgres named(DatabaseUrl url) {
        try {
            Postgres server = Postgres.answering(
                    url.jdbcUrl(), url.user(), url.password(), "named by " + VARIABLE + " at " + url.place());
            Schemas.dropAtExit();
            return server;
        } catch (SQLException e) {
            throw new IllegalStateException(VARIABLE + " names a server at " + url.place() + " that cannot be used", e);
        }
    }
}
