package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches that are marked in PostgreSQL while a sink takes them. */
@Timeout(60)
class LargeBatchIT {
    private static final int BATCH = 150;
    private static final String LARGE = '"' + "x".repeat(200_000) + '"';

    private final Jdbi jdbi = Database.fresh();
    private final MemorySink queue = new MemorySink("q");
    private final Relay relay = Relay.builder(
                    new JdbiOutboxStore(jdbi),
                    Routes.builder().route("a", queue, "x").build())
            .batchSize(BATCH)
            .build();

    @Test
    void a_batch_is_marked_while_the_sink_takes_it_and_counts_only_after_it() throws Exception {
        write(2 * BATCH);
        assertThat(relay.runOnce().published()).isEqualTo(BATCH);
        CountDownLatch marked = new CountDownLatch(1);
        queue.between = () -> {
            // The rows are locked by then, as somebody else's attempt to have one shows.
            while (marked.getCount() > 0) {
                if (unpublishedAndFree() == 0) {
                    marked.countDown();
                }
            }
            assertThat(Database.published(jdbi)).hasSize(BATCH);
        };
        assertThat(relay.runOnce().published()).isEqualTo(BATCH);
        assertThat(marked.await(0, TimeUnit.SECONDS)).isTrue();
        assertThat(Database.published(jdbi)).hasSize(2 * BATCH);
    }

    @Test
    void a_sink_that_fails_while_a_batch_is_marked_leaves_nothing_marked_and_gets_it_again_once_and_in_order() {
        write(4 * BATCH);
        for (int dies = 1; dies <= 3; dies++) {
            assertThat(relay.runOnce().published()).isEqualTo(BATCH);
            int before = Database.published(jdbi).size();
            int[] left = {20 * dies};
            queue.between = () -> {
                if (--left[0] == 0) {
                    throw new IllegalStateException("dies");
                }
            };
            assertThatThrownBy(relay::runOnce).hasMessage("dies");
            queue.between = () -> {};
            assertThat(Database.published(jdbi)).hasSize(before);
            // What the sink took of it is a batch of its own.
            int redone = relay.runOnce().published();
            assertThat(redone).isEqualTo(queue.taken().size() - before).isLessThan(BATCH);
            write(BATCH);
        }
        while (relay.runOnce().more()) {
            // One more.
        }
        assertWhole(7 * BATCH);
    }

    @Test
    void a_failure_to_mark_is_the_failure_of_the_turn_and_the_batch_is_redone() {
        write(2 * BATCH);
        assertThat(relay.runOnce().published()).isEqualTo(BATCH);
        jdbi.useHandle(handle -> handle.execute(
                "ALTER TABLE outbox_events ADD CONSTRAINT not_now CHECK (published_at IS NULL) NOT VALID"));
        assertThatThrownBy(relay::runOnce).hasMessageContaining("not_now");
        assertThat(queue.taken()).hasSize(2 * BATCH);
        jdbi.useHandle(handle -> handle.execute("ALTER TABLE outbox_events DROP CONSTRAINT not_now"));
        assertThat(relay.runOnce().published()).isEqualTo(BATCH);
        assertWhole(2 * BATCH);
    }

    @Test
    void of_large_events_a_batch_has_fewer() {
        Relay large = Relay.builder(
                        new JdbiOutboxStore(jdbi),
                        Routes.builder().route("a", queue, "x").build())
                .batchSize(1_000)
                .build();
        write(20, LARGE);
        assertThat(large.runOnce().published()).isEqualTo(20);
        write(200, LARGE);
        int most = 16 * 1024 * 1024 / LARGE.length();
        assertThat(large.runOnce().published()).isBetween(most - 1, most);
        assertThat(large.runOnce().published()).isBetween(most - 1, most);
        while (large.runOnce().more()) {
            // One more.
        }
        assertWhole(220);
        queue.flush();
        write(1, "{}");
        while (large.runOnce().more()) {
            // One more.
        }
        assertWhole(221);
    }

    private void write(int n) {
        write(n, "{}");
    }

    private void write(int n, String payload) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            events.add(Event.of("a", "aggregate-" + i % 5, payload));
        }
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, events));
    }

    private long unpublishedAndFree() {
        return jdbi.inTransaction(tx -> tx.createQuery(
                        "SELECT id::text FROM outbox_events WHERE published_at IS NULL FOR UPDATE SKIP LOCKED")
                .mapTo(String.class)
                .list()
                .size());
    }

    /** Each event once, and all in the order in which they were written. */
    private void assertWhole(int n) {
        List<String> order =
                jdbi.withHandle(handle -> handle.createQuery("SELECT id::text FROM outbox_events ORDER BY seq")
                        .mapTo(String.class)
                        .list());
        assertThat(Database.published(jdbi)).hasSize(n);
        assertThat(queue.taken().stream().map(event -> event.id().toString()).toList())
                .isEqualTo(order);
    }
}
