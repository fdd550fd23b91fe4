package dev.baton.jdbi;

import dev.baton.servers.Postgres;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** A schema of its own on the real server, with the library's tables in it. */
final class Database {
    private Database() {}

    static Jdbi fresh() {
        Jdbi jdbi = empty();
        OutboxSchema.migrate(jdbi);
        return jdbi;
    }

    static Jdbi empty() {
        return Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));
    }

    static List<String> topics(Jdbi jdbi) {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT topic FROM outbox_events ORDER BY seq")
                .mapTo(String.class)
                .list());
    }

    static List<String> published(Jdbi jdbi) {
        return jdbi.withHandle(handle -> handle.createQuery(
                        "SELECT topic FROM outbox_events WHERE published_at IS NOT NULL ORDER BY seq")
                .mapTo(String.class)
                .list());
    }
}
