package dev.baton.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.Postgres;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GuardSchemaIT {
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));

    @Test
    void eight_nodes_may_migrate_at_once_and_again() {
        List<CompletableFuture<Void>> nodes = IntStream.range(0, 8)
                .mapToObj(node -> CompletableFuture.runAsync(() -> GuardSchema.migrate(jdbi)))
                .toList();
        nodes.forEach(CompletableFuture::join);
        GuardSchema.migrate(jdbi);
        assertThat(GuardSchema.check(jdbi)).isEmpty();
    }

    @Test
    void the_check_tells_what_is_missing_or_differs() {
        assertThat(GuardSchema.check(jdbi))
                .containsExactly(
                        "table processed_messages is missing",
                        "table request_keys is missing",
                        "function processed_messages_mark(text, text[]) is missing",
                        "sequence request_fence is missing",
                        "index request_keys_age is missing");
        GuardSchema.migrate(jdbi);
        jdbi.useHandle(handle -> {
            handle.execute("ALTER TABLE request_keys ALTER COLUMN fence TYPE int");
            handle.execute("ALTER TABLE processed_messages DROP CONSTRAINT processed_messages_pkey");
            handle.execute("CREATE INDEX processed_messages_pkey ON processed_messages (message_id, consumer)");
            handle.execute(
                    "CREATE UNIQUE INDEX only_some ON processed_messages (message_id, consumer) WHERE consumer = 'x'");
            handle.execute("CREATE UNIQUE INDEX too_strict ON processed_messages (message_id)");
            handle.execute("DROP INDEX request_keys_age");
        });
        assertThat(GuardSchema.check(jdbi))
                .containsExactly(
                        "table processed_messages has no unique key of (consumer, message_id); repeats would not be told",
                        "column fence bigint of request_keys is missing or has another type",
                        "index request_keys_age is missing");
    }

    @Test
    void a_key_whose_columns_stand_the_other_way_round_is_as_good() {
        GuardSchema.migrate(jdbi);
        jdbi.useHandle(handle -> {
            handle.execute("ALTER TABLE processed_messages DROP CONSTRAINT processed_messages_pkey");
            handle.execute("ALTER TABLE processed_messages ADD PRIMARY KEY (consumer, message_id)");
        });
        assertThat(GuardSchema.check(jdbi)).isEmpty();
    }
}
