package dev.baton.jdbi;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.outbox.OutboxShard;
import dev.baton.outbox.StoredEvent;
import dev.baton.servers.Postgres;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Jdbi;

/** A schema of its own on the real server, with the library's tables in it. */
final class Database {
    private Database() {}

    static Jdbi fresh() {
        Jdbi jdbi = empty();
        OutboxSchema.migrate(jdbi);
        return jdbi;
    }

    /** @param parameters more of them for the URL */
    static Jdbi fresh(String parameters) {
        Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema() + parameters));
        OutboxSchema.migrate(jdbi);
        return jdbi;
    }

    /**
     * Ten connections to an empty schema, for tests that open a handle thousands of times; to be closed.
     *
     * @param parameters more of them for the URL
     */
    static HikariDataSource pool(String parameters) {
        return poolOf(Postgres.freshSchema() + parameters);
    }

    /** Ten connections by this URL; to be closed. */
    static HikariDataSource poolOf(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(Postgres.dataSource(url));
        return pool;
    }

    static Jdbi empty() {
        return Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));
    }

    /** What a new relay would claim; nothing is marked. */
    static List<StoredEvent> claim(Jdbi jdbi, String... topics) {
        try (OutboxShard.Turn turn =
                new JdbiOutboxStore(jdbi).shard(0, 1, Set.of(topics)).turn().orElseThrow()) {
            return turn.claim(1_000).events();
        }
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
