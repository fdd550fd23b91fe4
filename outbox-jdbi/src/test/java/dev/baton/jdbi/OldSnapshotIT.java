package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.outbox.OutboxShard;
import dev.baton.outbox.OutboxShard.Claim;
import dev.baton.outbox.OutboxShard.Turn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While an old snapshot is open, no index entry of a published event can be removed. */
@Timeout(300)
class OldSnapshotIT {
    private static final int EVENTS = Integer.getInteger("baton.snapshot.events", 100_000);
    private static final int STEP = EVENTS / 10;
    private static final int BATCH = 500;

    private final Jdbi jdbi = Database.fresh("&options=-c%20synchronous_commit=off");
    /** Of the relay, so that it can be asked what a turn has read. */
    private final Handle relay = jdbi.open();

    private final OutboxShard shard = shard();
    private final List<Long> blocks = new ArrayList<>();
    private final List<Long> nanos = new ArrayList<>();

    @AfterEach
    void close() {
        relay.close();
    }

    @Test
    void a_claim_reads_no_more_after_all_the_events_than_at_the_start_and_uses_its_indexes() throws SQLException {
        try (Handle old = jdbi.open()) {
            old.setTransactionIsolationLevel(TransactionIsolationLevel.REPEATABLE_READ);
            old.begin();
            // One that has written as well: its id is in every snapshot from now on.
            old.execute("CREATE TEMPORARY TABLE keeps_a_snapshot AS SELECT count(*) FROM outbox_events");
            for (int written = 0; written < EVENTS; written += STEP) {
                insert(STEP);
                drain();
            }
            int tenth = blocks.size() / 10;
            // The second tenth: the first ones meet indexes of a single page.
            double start = average(blocks.subList(tenth, 2 * tenth));
            double end = average(blocks.subList(blocks.size() - tenth, blocks.size()));
            System.out.printf(
                    "BENCH claim of %d: %.1f blocks and %.2f ms at the start, %.1f and %.2f after %d%n",
                    BATCH,
                    start,
                    quick(nanos.subList(tenth, 2 * tenth)),
                    end,
                    quick(nanos.subList(nanos.size() - tenth, nanos.size())),
                    EVENTS);
            assertThat(start).as("blocks per claim").isGreaterThan(5);
            assertThat(end).as("blocks per claim, beside %s", start).isLessThan(1.3 * start);
            assertThat(plan())
                    .contains("outbox_unpublished")
                    .contains("outbox_late")
                    .doesNotContainPattern("Seq Scan on outbox_events\\s");
            // A relay that is new begins at the beginning, and is there within a second all the same.
            insert(1);
            long began = System.nanoTime();
            OutboxShard takesOver = shard();
            while (claim(takesOver) == 0) {
                // Window after window.
            }
            assertThat(System.nanoTime() - began).isLessThan(2_000_000_000L);
            old.rollback();
        }
    }

    /**
     * Statistics that say "nothing is unpublished" make the partial indexes look empty. A lookup by id that uses one of them
     * reads everything that was ever published while the snapshot is open, and compares each with all ids.
     */
    @Test
    void what_is_asked_for_by_id_is_looked_up_by_id() throws SQLException {
        insert(STEP);
        drain();
        jdbi.useHandle(handle -> handle.execute("ANALYZE outbox_events"));
        insert(STEP);
        String ids = "'{" + UUID.randomUUID() + "}'";
        assertThat(List.of(
                        plan(JdbiTurn.UNPUBLISHED.replace(":ids", "$1"), "text[]", ids),
                        plan(
                                JdbiTurn.PUBLISHED_AFTER.replace(":ids", "$1").replace(":after", "$2"),
                                "text[], bigint",
                                ids + ", 0"),
                        plan(
                                Parking.DUE
                                        .replace(":topics", "$1")
                                        .replace(":limit", "$2")
                                        .replace("<shard>", ""),
                                "text[], int",
                                "'{t}', 100"),
                        plan(JdbiOutboxStore.DEAD.replace(":limit", "$1"), "int", "100")))
                .allSatisfy(plan -> assertThat(plan)
                        .contains("outbox_events_pkey")
                        .doesNotContain("outbox_unpublished", "outbox_late", "outbox_batch")
                        .doesNotContain("Seq Scan on outbox_events"));
    }

    @Test
    void what_is_claimed_and_marked_is_looked_up_whatever_statistics_say() throws SQLException {
        insert(STEP);
        drain();
        jdbi.useHandle(handle -> handle.execute("ANALYZE outbox_events"));
        insert(STEP);
        String marking = plan(
                JdbiTurn.PUBLISH.replace(":number", "$1").replace(":seqs", "$2"), "bigint, bigint[]", "1, '{1,2,3}'");
        assertThat(List.of(plan(), marking))
                .allSatisfy(plan -> assertThat(plan)
                        .contains("Index Scan using outbox_unpublished")
                        .doesNotContain("Seq Scan on outbox_events\n", "outbox_events_pkey")
                        .doesNotContainPattern("Scan using outbox_(unpublished|late) .*\n\\s+(?!Index Cond)\\S"));
    }

    private void drain() {
        while (claim(shard) > 0) {
            // One more.
        }
    }

    private int claim(OutboxShard some) {
        try (Turn turn = some.turn().orElseThrow()) {
            long before = blocksRead();
            long began = System.nanoTime();
            Claim claim = turn.claim(BATCH);
            nanos.add(System.nanoTime() - began);
            blocks.add(blocksRead() - before);
            if (!claim.events().isEmpty()) {
                turn.publish(claim.events(), turn.number());
            }
            turn.commit();
            return claim.events().size();
        }
    }

    private void insert(int n) {
        jdbi.useHandle(handle -> handle.execute(
                "INSERT INTO outbox_events (id, topic, aggregate_id, payload)"
                        + " SELECT gen_random_uuid(), 't', n::text, '{\"n\": 1}' FROM generate_series(1, ?) AS n",
                n));
    }

    /** As a turn runs it: with its settings, and for whatever parameters. */
    private String plan() throws SQLException {
        ClaimQuery claim = new ClaimQuery(OutboxTables.DEFAULT, "outbox_events_seq_seq", 0, 1, Set.of("t"), true);
        return plan(
                claim.late()
                        .replace(":xmax", "$1")
                        .replace(":xip", "$2")
                        .replace(":seq", "$3")
                        .replace(":end", "$4")
                        .replace(":topics", "$5")
                        .replace(":limit", "$6"),
                "text, text[], bigint, bigint, text[], int",
                "'1000', '{990,995}', 290000, 400000, '{t}', 500");
    }

    private String plan(String sql, String types, String values) throws SQLException {
        return jdbi.inTransaction(handle -> {
            handle.createQuery(JdbiShard.LOCK_AND_BOUNDS)
                    .bind("key", 1L)
                    .bind("table", "outbox_events")
                    .bind("longest", "1000")
                    .mapTo(Boolean.class)
                    .one();
            try (Statement statement = handle.getConnection().createStatement()) {
                statement.execute("PREPARE planned (" + types + ") AS " + sql);
                StringBuilder plan = new StringBuilder();
                try (ResultSet rows = statement.executeQuery("EXPLAIN EXECUTE planned (" + values + ")")) {
                    while (rows.next()) {
                        plan.append(rows.getString(1)).append('\n');
                    }
                }
                statement.execute("DEALLOCATE planned");
                return plan.toString();
            }
        });
    }

    private OutboxShard shard() {
        return new JdbiOutboxStore(Jdbi.create(relay.getConnection())).shard(0, 1, Set.of("t"));
    }

    /** Of the table and its indexes, in memory or not; PostgreSQL forgets what it has counted between two transactions only. */
    private long blocksRead() {
        try (Statement statement = relay.getConnection().createStatement();
                ResultSet row = statement.executeQuery("""
                        SELECT sum(pg_stat_get_xact_blocks_fetched(oid)) FROM pg_class
                        WHERE oid = 'outbox_events'::regclass
                           OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'outbox_events'::regclass)""")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** In ms. Not the median: what else the machine does makes some claims slow, and none of them quick. */
    private static double quick(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 10) / 1e6;
    }

    private static double average(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).average().orElseThrow();
    }
}
