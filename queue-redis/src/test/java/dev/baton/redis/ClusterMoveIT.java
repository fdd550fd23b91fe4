package dev.baton.redis;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.failure.DeathReason;
import dev.baton.failure.Outcome;
import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Request;
import dev.baton.redis.Exchange.Taken;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** A queue that has something in each place, on its way to another node. */
@Timeout(120)
class ClusterMoveIT {
    private static final Duration HOUR = Duration.ofHours(1);

    private final ClusterGroup group = new ClusterGroup();
    private final RedisQueues queues = RedisQueues.connect(group.address(), Redis.freshPrefix());
    private final RedisJobQueue queue = queues.queue("q");
    private final Exchange worker = new Exchange(queue, HOUR);
    private final Taken held = fill();

    private Taken fill() {
        queue.settings().limit(1_000, HOUR);
        queue.settings().keepCompleted(1_000, HOUR);
        enqueue(
                NewJob.of("work", "{}").withId("completes"),
                NewJob.of("work", "{}").withId("dies"));
        List<Taken> taken = take(2);
        Settlement dies = Settlement.failed(
                QueueFixture.lease(taken.get(1)), new Outcome.Bury(DeathReason.PERMANENT), new IllegalStateException());
        worker.send(worker.request(List.of(Settlement.complete(QueueFixture.lease(taken.get(0))), dies), 0));
        enqueue(NewJob.of("work", "{}").withId("held"));
        Taken one = take(1).get(0);
        IntStream.range(0, 4).forEach(i -> enqueue(NewJob.of("work", "{}").withId("ready-" + i)));
        enqueue(
                NewJob.of("work", "{}").withId("urgent").priority(5),
                NewJob.of("work", "{}").withId("head").orderedBy("k"),
                NewJob.of("work", "{}").withId("blocked").orderedBy("k"),
                NewJob.of("work", "{}").withId("delayed").after(HOUR));
        return one;
    }

    @AfterEach
    void close() {
        queues.close();
        group.close();
    }

    /** Its records are there already, the rest is not: a script that ran now would fail half-way, at the first record. */
    @Test
    void an_exchange_does_all_or_nothing() {
        try (Jedis node = SentinelGroup.jedis(group.owner(queue))) {
            assertThat(queue.keys().exchange("none").subList(0, 11)).allMatch(node::exists);
        }
        Request request = worker.request(List.of(Settlement.complete(QueueFixture.lease(held))), 3);
        try (ClusterGroup.Move move = group.beginToMove(queue)) {
            move.keys(key -> key.startsWith(queue.keys().tag() + ":job:"));
            refused(() -> worker.send(request));
            move.keys(key -> true);
        }
        Set<String> taken = new HashSet<>();
        await().untilAsserted(() -> {
            worker.send(request).taken().forEach(job -> taken.add(job.id()));
            assertThat(taken).hasSize(3);
        });
        take(10).forEach(job -> taken.add(job.id()));
        assertThat(taken).containsExactlyInAnyOrder("ready-0", "ready-1", "ready-2", "ready-3", "urgent", "head");
        QueueCounts counts = queue.counts();
        assertThat(List.of(counts.kept(), counts.dead(), counts.delayed(), counts.blocked(), counts.leased()))
                .containsExactly(2L, 1L, 1L, 1L, 6L);
    }

    @Test
    void a_letter_that_is_written_as_the_move_begins_is_written_again_and_nothing_stays_behind() {
        AtomicReference<ClusterGroup.Move> begun = new AtomicReference<>();
        Letters letters = new Letters() {
            @Override
            public void bury(List<DeadLetter> some) {
                super.bury(some);
                ClusterGroup.Move move = group.beginToMove(queue);
                move.keys(key -> key.equals(queue.keys().job("dies")));
                begun.set(move);
            }
        };
        refused(() -> new BuryPass(queue, letters).run());
        assertThat(letters.kept).containsOnlyKeys("dies");
        try (ClusterGroup.Move move = requireNonNull(begun.get())) {
            move.keys(key -> true);
        }
        Letters again = new Letters();
        BuryPass pass = new BuryPass(queue, again);
        await().ignoreExceptionsInstanceOf(JedisException.class).until(() -> {
            pass.run();
            return queue.counts().dead() == 0;
        });
        assertThat(again.kept).containsOnlyKeys("dies");
        assertThat(queues.redis().exists(queue.keys().job("dies"))).isFalse();
    }

    private void enqueue(NewJob... jobs) {
        queue.enqueue(List.of(jobs));
    }

    private List<Taken> take(int wanted) {
        return worker.send(worker.request(List.of(), wanted)).taken();
    }

    private static void refused(Runnable call) {
        try {
            call.run();
            throw new AssertionError("it was not refused");
        } catch (JedisException moving) {
            assertThat(moving).hasMessageContaining("TRYAGAIN");
        }
    }
}
