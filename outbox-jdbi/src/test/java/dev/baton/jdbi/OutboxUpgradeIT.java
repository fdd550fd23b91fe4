package dev.baton.jdbi;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tables of an older version become those of this one while they are in use. */
@Timeout(600)
class OutboxUpgradeIT {
    private static final long TRY_NANOS = 250_000_000;
    private static final int ROWS = Integer.getInteger("baton.upgrade.rows", 200_000);

    private final Jdbi jdbi = Database.empty();

    @Test
    void the_upgrade_of_a_large_table_in_use_lets_writers_wait_for_less_than_a_second() throws Exception {
        jdbi.useHandle(handle -> {
            createFirstVersion(handle);
            // As it was before version 3 gave it a condition of its own.
            handle.execute("CREATE INDEX outbox_unpublished ON outbox_events (seq) WHERE published_at IS NULL");
            handle.execute(
                    "INSERT INTO outbox_events (id, topic, aggregate_id, payload, published_at) SELECT gen_random_uuid(), 't',"
                            + " n::text, '{}', CASE WHEN n % 10 > 0 THEN now() END FROM generate_series(1, ?) AS n",
                    ROWS);
        });
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong longest = new AtomicLong();
        Thread writer = new Thread(() -> {
            while (!done.get()) {
                longest.accumulateAndGet(write(), Math::max);
            }
        });
        writer.start();
        long began = System.nanoTime();
        OutboxSchema.migrate(jdbi);
        done.set(true);
        writer.join();
        System.out.printf(
                "BENCH upgrade of %,d rows: %.1f s, a writer waited %.0f ms at most%n",
                ROWS, (System.nanoTime() - began) / 1e9, longest.get() / 1e6);
        assertThat(longest.get()).isLessThan(1_000_000_000L);
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT)).isEmpty();
        MemorySink queue = new MemorySink("q");
        Relay relay = Relay.builder(
                        new JdbiOutboxStore(jdbi),
                        Routes.builder().route("t", queue, "x").build())
                .batchSize(5_000)
                .build();
        while (relay.runOnce().more()) {
            // One more.
        }
        assertThat(relay.lag().unpublished()).isZero();
        assertThat(queue.taken().size()).isGreaterThanOrEqualTo(ROWS / 10);
    }

    @Test
    void while_an_older_transaction_holds_the_table_writers_go_on_and_the_upgrade_waits() throws Exception {
        jdbi.useHandle(OutboxUpgradeIT::createFirstVersion);
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong longest = new AtomicLong();
        AtomicInteger waits = new AtomicInteger();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            while (!done.get()) {
                long took = write();
                longest.accumulateAndGet(took, Math::max);
                waits.addAndGet(took > TRY_NANOS / 2 ? 1 : 0);
            }
        });
        CompletableFuture<Void> upgrade;
        try (Handle older = jdbi.open()) {
            older.begin();
            older.execute("LOCK TABLE outbox_events IN ACCESS SHARE MODE");
            upgrade = CompletableFuture.runAsync(() -> OutboxSchema.migrate(jdbi));
            await().until(() -> waits.get() >= 2);
            assertThat(upgrade).isNotDone();
            older.commit();
        }
        upgrade.join();
        done.set(true);
        writer.join();
        assertThat(longest.get()).isLessThan(1_000_000_000L);
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT)).isEmpty();
    }

    @Test
    void who_cannot_get_the_lock_is_told_what_to_do() {
        jdbi.useHandle(OutboxUpgradeIT::createFirstVersion);
        try (Handle older = jdbi.open()) {
            older.begin();
            older.execute("LOCK TABLE outbox_events IN ACCESS SHARE MODE");
            assertThatThrownBy(() -> SchemaLock.patiently(
                            () -> jdbi.useTransaction(tx -> {
                                tx.execute(SchemaLock.LOCK_TIMEOUT);
                                tx.execute("ALTER TABLE outbox_events ADD COLUMN x int");
                            }),
                            TRY_NANOS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("pg_stat_activity");
            older.rollback();
        }
    }

    private static void createFirstVersion(Handle handle) {
        for (String sql : resource("V1__outbox.sql").replaceAll("(?m)--.*$", "").split(";", -1)) {
            if (!sql.isBlank()) {
                handle.execute(sql);
            }
        }
    }

    /** How long it took, in nanoseconds. */
    private long write() {
        long began = System.nanoTime();
        jdbi.useTransaction(tx -> tx.execute("INSERT INTO outbox_events (id, topic, aggregate_id, payload)"
                + " VALUES (gen_random_uuid(), 't', 'a', '{}')"));
        return System.nanoTime() - began;
    }

    private static String resource(String name) {
        try (InputStream in = requireNonNull(OutboxSchema.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
