package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scenario O1: who writes first commits last. The relay runs all the time. */
@Timeout(120)
class LateCommitIT {
    private static final Duration OPEN = Duration.ofSeconds(Integer.getInteger("baton.open.seconds", 2));
    private static final int WRITERS = 8;
    private static final int AGGREGATES = 4;
    private static final int EACH = Integer.getInteger("baton.late.events", 60);

    private final Jdbi jdbi = Database.fresh();
    private final MemorySink queue = new MemorySink("q");
    private final Relay relay = Relay.builder(
                    new JdbiOutboxStore(jdbi),
                    Routes.builder().route("changed", queue, "x").build())
            .batchSize(7)
            .start();
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter(relay::nudge);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    LateCommitIT() {
        jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE aggregates (id text PRIMARY KEY, version int NOT NULL)");
            handle.execute(
                    "INSERT INTO aggregates SELECT 'a-' || n, 0 FROM generate_series(0, ?) AS n", AGGREGATES - 1);
        });
    }

    @AfterEach
    void close() {
        relay.close();
        threads.shutdownNow();
    }

    @Test
    void what_was_written_before_and_committed_after_arrives_too() {
        try (Handle late = jdbi.open()) {
            late.begin();
            change(late, "a-0");
            jdbi.useTransaction(tx -> change(tx, "a-1"));
            await().until(() -> queue.taken().size() == 1);
            await().pollDelay(OPEN).atMost(OPEN.plusSeconds(10)).until(() -> true);
            assertThat(versions()).isEqualTo(Map.of("a-1", List.of(1)));
            late.commit();
        }
        await().atMost(Duration.ofSeconds(3)).until(() -> queue.taken().size() == 2);
        assertThat(versions()).isEqualTo(Map.of("a-1", List.of(1), "a-0", List.of(1)));
    }

    @Test
    void the_next_change_of_an_aggregate_waits_for_its_row_and_arrives_behind_the_one_that_commits_late()
            throws Exception {
        Future<?> next;
        try (Handle late = jdbi.open()) {
            late.begin();
            change(late, "a-0");
            next = threads.submit(() -> jdbi.useTransaction(tx -> change(tx, "a-0")));
            await().until(this::somebodyWaitsForARow);
            jdbi.useTransaction(tx -> change(tx, "a-1"));
            await().until(() -> queue.taken().size() == 1);
            late.commit();
        }
        next.get();
        await().until(() -> queue.taken().size() == 3);
        assertThat(versions()).isEqualTo(Map.of("a-1", List.of(1), "a-0", List.of(1, 2)));
    }

    @Test
    void events_of_an_aggregate_arrive_in_the_order_of_the_commits_if_writers_lock_its_row_first() throws Exception {
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(threads.submit(this::changeAtRandom));
        }
        for (Future<?> done : writers) {
            done.get();
        }
        await().until(() -> queue.taken().size() == WRITERS * EACH);
        // The version of a row is the number of the commit that changed it.
        Map<String, List<Integer>> expected = new LinkedHashMap<>();
        jdbi.useHandle(handle -> handle.createQuery("SELECT id, version FROM aggregates")
                .map((row, context) -> Map.entry(row.getString("id"), row.getInt("version")))
                .forEach(last -> expected.put(
                        last.getKey(),
                        IntStream.rangeClosed(1, last.getValue()).boxed().toList())));
        assertThat(versions()).isEqualTo(expected);
    }

    private void changeAtRandom() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 0; i < EACH; i++) {
            jdbi.useTransaction(tx -> {
                LockSupport.parkNanos(random.nextLong(2_000_000));
                change(tx, "a-" + random.nextInt(AGGREGATES));
                LockSupport.parkNanos(random.nextLong(5_000_000));
            });
        }
    }

    /** Locks the aggregate's row first. */
    private void change(Handle transaction, String aggregate) {
        int version = transaction
                .createQuery("UPDATE aggregates SET version = version + 1 WHERE id = ? RETURNING version")
                .bind(0, aggregate)
                .mapTo(Integer.class)
                .one();
        writer.write(transaction, Event.of("changed", aggregate, version));
    }

    private boolean somebodyWaitsForARow() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT EXISTS (SELECT FROM pg_stat_activity"
                        + " WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE aggregates%')")
                .mapTo(Boolean.class)
                .one());
    }

    private Map<String, List<Integer>> versions() {
        Map<String, List<Integer>> versions = new LinkedHashMap<>();
        for (Event event : queue.taken()) {
            versions.computeIfAbsent(event.aggregateId(), id -> new ArrayList<>())
                    .add(Integer.parseInt(event.payload()));
        }
        return versions;
    }
}
