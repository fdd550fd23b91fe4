package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.outbox.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many instances delete what is older than the retention. */
@Timeout(7_200)
class CleaningIT {
    private static final int ROWS = Integer.getInteger("baton.cleanup.rows", 50_000);
    private static final int KEPT = 1_000;
    private static final int CLEANERS = 5;
    private static final int BATCH = 1_000;
    private static final Duration RETENTION = Duration.ofDays(7);

    private final Jdbi jdbi = Database.fresh("&options=-c%20synchronous_commit=off");
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @Test
    void five_cleaners_at_once_delete_all_that_is_old_and_nothing_else_and_do_not_deadlock() throws Exception {
        insert(ROWS, "old", "now() - interval '8 days'", "n / 500");
        insert(KEPT, "recent", "now() - interval '6 days'", ROWS + " / 500 + 1");
        insert(KEPT, "unpublished", "NULL", "NULL");
        long deadlocks = deadlocks();
        long began = System.nanoTime();
        List<Future<Integer>> cleaners = new ArrayList<>();
        for (int i = 0; i < CLEANERS; i++) {
            cleaners.add(threads.submit(cleaner(new JdbiOutboxStore(jdbi))));
        }
        int deleted = 0;
        for (Future<Integer> cleaner : cleaners) {
            deleted += cleaner.get();
        }
        System.out.printf(
                "BENCH %d cleaners deleted %,d rows in %.1f s%n", CLEANERS, deleted, (System.nanoTime() - began) / 1e9);
        assertThat(deleted).isEqualTo(ROWS);
        assertThat(count("old")).isZero();
        assertThat(count("recent")).isEqualTo(KEPT);
        assertThat(count("unpublished")).isEqualTo(KEPT);
        assertThat(deadlocks()).isEqualTo(deadlocks);
    }

    @Test
    void a_cleaner_that_finds_another_one_at_it_does_not_wait_for_it() throws Exception {
        insert(10, "old", "now() - interval '8 days'", "0");
        Future<Integer> first;
        try (Handle holds = jdbi.open()) {
            holds.begin();
            holds.execute("SELECT FROM outbox_events FOR UPDATE");
            first = threads.submit(() -> new JdbiOutboxStore(jdbi).clean(RETENTION, BATCH));
            await().until(this::somebodyDeletes);
            long began = System.nanoTime();
            assertThat(new JdbiOutboxStore(jdbi).clean(RETENTION, BATCH)).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
            assertThat(first.isDone()).isFalse();
            holds.rollback();
        }
        assertThat(first.get()).isEqualTo(10);
    }

    @Test
    void a_row_that_is_replayed_while_the_cleaner_waits_for_it_is_not_deleted() throws Exception {
        insert(10, "old", "now() - interval '8 days'", "1");
        Future<Integer> cleaner;
        try (Handle replay = jdbi.open()) {
            replay.begin();
            replay.execute("UPDATE outbox_events SET published_at = NULL, batch = 2, xact_id = pg_current_xact_id()"
                    + " WHERE seq = (SELECT max(seq) FROM outbox_events)");
            cleaner = threads.submit(() -> new JdbiOutboxStore(jdbi).clean(RETENTION, BATCH));
            await().until(this::somebodyDeletes);
            replay.commit();
        }
        assertThat(cleaner.get()).isEqualTo(9);
        assertThat(count("old")).isEqualTo(1);
    }

    @Test
    void a_batch_is_found_by_its_index_and_read_no_further_than_it_deletes() {
        insert(5_000, "old", "now() - interval '8 days'", "n / 500");
        insert(5_000, "recent", "now()", "100 + n / 500");
        String plan = jdbi.inTransaction(handle -> {
            handle.execute("SET LOCAL enable_seqscan = off");
            String sql = JdbiOutboxStore.CLEAN.replace(":limit", "100").replace(":ms", "604800000");
            return String.join(
                    "\n",
                    handle.createQuery("EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) " + sql)
                            .mapTo(String.class)
                            .list());
        });
        assertThat(plan)
                .containsPattern("Tid Scan on outbox_events \\(actual rows=100(\\.00)? ")
                .containsPattern(
                        "Index Scan using outbox_batch on outbox_events outbox_events_1 \\(actual rows=100(\\.00)? ");
        assertThat(count("old")).isEqualTo(4_900);
    }

    private static Callable<Integer> cleaner(OutboxStore store) {
        return () -> {
            int all = 0;
            // Nothing, because another one is at it or because nothing is left.
            for (int nothing = 0; nothing < 50; ) {
                int deleted = store.clean(RETENTION, BATCH);
                all += deleted;
                nothing = deleted == 0 ? nothing + 1 : 0;
            }
            return all;
        };
    }

    private void insert(int n, String aggregate, String published, String batch) {
        jdbi.useHandle(handle -> handle.execute(
                "INSERT INTO outbox_events (id, topic, aggregate_id, payload, published_at, batch)"
                        + " SELECT gen_random_uuid(), 't', ?, '{}', " + published + ", " + batch
                        + " FROM generate_series(1, ?) AS n",
                aggregate,
                n));
    }

    private long count(String aggregate) {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT count(*) FROM outbox_events WHERE aggregate_id = ?")
                .bind(0, aggregate)
                .mapTo(Long.class)
                .one());
    }

    private long deadlocks() {
        return jdbi.withHandle(handle -> handle.createQuery(
                        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
                .mapTo(Long.class)
                .one());
    }

    private boolean somebodyDeletes() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT EXISTS (SELECT FROM pg_stat_activity"
                        + " WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM %outbox_events%')")
                .mapTo(Boolean.class)
                .one());
    }
}
