package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

class OutboxSchemaIT {
    private final Jdbi jdbi = Database.empty();

    @Test
    void eight_nodes_may_migrate_at_once_and_again() throws Exception {
        ExecutorService nodes = Executors.newFixedThreadPool(8);
        try {
            Callable<String> node = () -> {
                OutboxSchema.migrate(jdbi);
                return "done";
            };
            List<Future<String>> results =
                    nodes.invokeAll(Stream.generate(() -> node).limit(8).toList());
            for (Future<String> result : results) {
                assertThat(result.get()).isEqualTo("done");
            }
        } finally {
            nodes.shutdownNow();
        }
        OutboxSchema.migrate(jdbi);
        assertThat(Database.topics(jdbi)).isEmpty();
    }

    @Test
    void the_claim_uses_the_index_of_unpublished_rows() {
        OutboxSchema.migrate(jdbi);
        String plan = jdbi.withHandle(handle -> {
            handle.execute("INSERT INTO outbox_events (id, topic, aggregate_id, payload, published_at)"
                    + " SELECT gen_random_uuid(), 't', 'a', '{}', now() FROM generate_series(1, 20000)");
            handle.execute("INSERT INTO outbox_events (id, topic, aggregate_id, payload)"
                    + " SELECT gen_random_uuid(), 't', 'a', '{}' FROM generate_series(1, 100)");
            handle.execute("ANALYZE outbox_events");
            return String.join(
                    "\n",
                    handle.createQuery("EXPLAIN SELECT id FROM outbox_events WHERE published_at IS NULL"
                                    + " AND topic = ANY ('{t}') ORDER BY seq LIMIT 100")
                            .mapTo(String.class)
                            .list());
        });
        assertThat(plan).contains("outbox_unpublished");
    }
}
