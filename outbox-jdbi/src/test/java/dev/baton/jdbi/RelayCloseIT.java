package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.outbox.Event;
import dev.baton.relay.Delivery;
import dev.baton.relay.Relay;
import dev.baton.relay.RelayBuilder;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import dev.baton.relay.Sink;
import dev.baton.relay.SinkAnswer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the batch in progress when a relay is closed. */
@Timeout(60)
class RelayCloseIT {
    private static final int EVENTS = 2_000;
    private static final int BATCH = 60;

    private final Jdbi jdbi = Database.fresh();
    private final JdbiOutboxStore store = new JdbiOutboxStore(
            jdbi, OutboxTables.DEFAULT, new JdbiShard.Limits(Duration.ofMillis(600), BoundedHandle.LONGEST_ANSWER));
    private final MemorySink queue = new MemorySink("queue");
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    RelayCloseIT() {
        List<Event> events = IntStream.range(0, EVENTS)
                .mapToObj(i -> Event.of("t", "order-" + i % 10, "{}"))
                .toList();
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, events));
    }

    @Test
    void in_a_long_drain_the_batch_in_progress_is_finished_and_the_rest_waits_for_the_next_relay() throws Exception {
        queue.between = () -> {
            if (queue.taken().size() == 2 * BATCH + MemorySink.CHUNK) {
                reached.countDown();
                awaitReleased();
            }
        };
        Relay relay = relay(Route.to(queue, "x")).start();
        reached.await();
        Thread closer = new Thread(relay::close);
        closer.start();
        await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        released.countDown();
        closer.join();
        assertThat(relay.status().published()).isEqualTo(3 * BATCH);
        assertThat(queue.taken()).hasSize(3 * BATCH);
        drain(relay(Route.to(queue, "x")).build());
        assertThat(queue.taken()).hasSize(EVENTS).doesNotHaveDuplicates();
    }

    @Test
    void a_sink_that_waits_for_ever_is_interrupted_when_the_grace_is_over() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Plain waits = new Plain(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.complete(true);
                throw new IllegalStateException(e);
            }
        });
        Relay relay = relay(Route.to(waits, "x"), Route.to(queue, "x"))
                .grace(Duration.ofMillis(100))
                .start();
        reached.await();
        relay.close();
        assertThat(interrupted).isCompletedWithValue(true);
        assertThat(relay.status().published()).isZero();
        drain(relay(Route.to(new Plain(() -> {}), "x"), Route.to(queue, "x")).build());
        assertThat(queue.taken()).hasSize(EVENTS).doesNotHaveDuplicates();
    }

    @Test
    void a_sink_that_hangs_whatever_happens_is_abandoned_and_when_it_comes_back_it_changes_nothing() throws Exception {
        CompletableFuture<Thread> hanging = new CompletableFuture<>();
        Plain hangs = new Plain(() -> {
            hanging.complete(Thread.currentThread());
            awaitReleased();
        });
        Relay relay = relay(Route.to(hangs, "x"), Route.to(queue, "x"))
                .grace(Duration.ofMillis(100))
                .start();
        reached.await();
        relay.close();
        assertThat(hanging.join().isAlive()).as("close did not wait for it").isTrue();
        Relay next =
                relay(Route.to(new Plain(() -> {}), "x"), Route.to(queue, "x")).build();
        await("PostgreSQL ends its transaction").until(() -> next.runOnce().published() > 0);
        drain(next);
        released.countDown();
        hanging.join().join();
        assertThat(relay.status().published()).isZero();
        assertThat(queue.taken()).hasSize(EVENTS).doesNotHaveDuplicates();
        assertThat(next.lag().unpublished()).isZero();
    }

    @Test
    void a_grace_has_bounds() {
        assertThatThrownBy(() -> relay(Route.to(queue, "x")).grace(Duration.ofMillis(-1)))
                .hasMessageContaining("grace is");
    }

    private RelayBuilder relay(Route... targets) {
        return Relay.builder(store, Routes.builder().route("t", targets).build())
                .batchSize(BATCH);
    }

    private static void drain(Relay relay) {
        while (relay.runOnce().more()) {
            // One more.
        }
    }

    /** Heeds no interrupt. */
    private void awaitReleased() {
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException e) {
                // It hangs.
            }
        }
    }

    private final class Plain implements Sink {
        private final Runnable does;

        private Plain(Runnable does) {
            this.does = does;
        }

        @Override
        public String name() {
            return "webhook";
        }

        @Override
        public List<SinkAnswer> accept(List<Delivery> deliveries) {
            reached.countDown();
            does.run();
            return Collections.nCopies(deliveries.size(), SinkAnswer.ACCEPTED);
        }
    }
}
