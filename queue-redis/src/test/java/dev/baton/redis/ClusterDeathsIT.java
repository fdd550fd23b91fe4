package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import dev.baton.failure.PermanentException;
import dev.baton.job.NewJob;
import dev.baton.servers.Redis;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** Dead jobs on their way to the store while their queue is on its way to another node. */
@Timeout(120)
class ClusterDeathsIT {
    private static final List<String> IDS = List.of("a", "b", "c");

    private final Letters letters = new Letters();
    private final ClusterGroup group = new ClusterGroup();
    private final RedisQueues queues = RedisQueues.connect(group.address(), Redis.freshPrefix());
    private final RedisJobQueue queue = queues.queue("q");
    private final String tag = queue.keys().tag();

    @BeforeEach
    void threeDie() {
        try (RedisWorker worker = RedisWorker.builder(queue)
                .handle("work", job -> {
                    throw new PermanentException("no");
                })
                .start()) {
            queue.enqueue(IDS.stream()
                    .map(id -> NewJob.of("work", "payload of " + id).withId(id))
                    .toList());
            await().until(() -> queue.counts().dead() == IDS.size());
            assertThat(worker).isNotNull();
        }
    }

    @AfterEach
    void close() {
        queues.close();
        group.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {":dead", ":job:b"})
    void a_letter_is_not_written_without_its_record_whichever_is_on_the_next_node_first(String first) {
        BuryPass pass = new BuryPass(queue, letters);
        try (ClusterGroup.Move move = group.beginToMove(queue)) {
            move.keys(key -> key.equals(tag + first));
            tried(pass);
            assertThat(letters.kept.values())
                    .allMatch(letter -> letter.payload().equals("payload of " + letter.jobId()));

            move.keys(key -> true);
        }
        buriesAll(pass);
    }

    @Test
    void a_record_that_moves_between_the_letter_and_the_forgetting_leaves_nothing_behind() {
        try (ClusterGroup.Move move = group.beginToMove(queue)) {
            BuryPass pass = new BuryPass(queue, new Meanwhile(() -> move.keys(key -> key.equals(tag + ":job:b"))));
            tried(pass);
            assertThat(letters.kept).hasSize(IDS.size());

            move.keys(key -> true);
        }
        buriesAll(new BuryPass(queue, letters));
    }

    private void buriesAll(BuryPass pass) {
        await().untilAsserted(() -> {
            tried(pass);
            assertThat(queue.counts().dead()).isZero();
        });
        assertThat(letters.kept.values().stream().collect(Collectors.toMap(DeadLetter::jobId, DeadLetter::payload)))
                .isEqualTo(Map.of("a", "payload of a", "b", "payload of b", "c", "payload of c"));
        assertThat(group.nodes.stream().flatMap(node -> {
                    try (Jedis jedis = SentinelGroup.jedis(node)) {
                        Set<String> records = jedis.keys("*:job:*");
                        return records.stream();
                    }
                }))
                .isEmpty();
    }

    /** As the loop does, which tries again. */
    private static void tried(BuryPass pass) {
        try {
            pass.run();
        } catch (JedisException moving) {
            assertThat(moving.getMessage()).containsAnyOf("TRYAGAIN", "non local key", "ASK", "MOVED");
        }
    }

    /** Something happens once the letters are kept. */
    private final class Meanwhile implements DeadLetterStore {
        private final Runnable meanwhile;

        Meanwhile(Runnable meanwhile) {
            this.meanwhile = meanwhile;
        }

        @Override
        public void bury(List<DeadLetter> all) {
            letters.bury(all);
            meanwhile.run();
        }

        @Override
        public List<DeadLetter> open(int limit) {
            return letters.open(limit);
        }
    }
}
