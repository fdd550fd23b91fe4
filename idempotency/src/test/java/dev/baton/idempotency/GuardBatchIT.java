package dev.baton.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.Postgres;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many messages in one statement. */
@Timeout(60)
class GuardBatchIT {
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));
    private final Guard guard = Guard.forConsumer("loyalty.award-points");

    @BeforeEach
    void create() {
        GuardSchema.migrate(jdbi);
    }

    @Test
    void a_batch_is_one_statement_and_applies_to_the_new_ones_alone() {
        jdbi.useTransaction(tx -> guard.once(tx, "m2", () -> {}));
        List<String> applied = new ArrayList<>();
        List<String> messages = List.of("m3", "m1", "m2", "m1");
        List<String> fresh =
                jdbi.inTransaction(tx -> guard.onceAll(tx, messages, Function.identity(), applied::addAll));
        assertThat(fresh).containsExactly("m3", "m1").isEqualTo(applied);

        assertThat(jdbi.<List<String>, RuntimeException>inTransaction(
                        tx -> guard.onceAll(tx, messages, Function.identity(), all -> applied.add("again"))))
                .isEmpty();
        assertThat(applied).hasSize(2);
        assertThat(jdbi.<List<String>, RuntimeException>inTransaction(
                        tx -> guard.onceAll(tx, List.<String>of(), Function.identity(), all -> applied.add("none"))))
                .isEmpty();
    }

    @Test
    void batches_with_common_messages_in_opposite_order_do_not_deadlock() {
        List<String> messages =
                IntStream.range(0, 20_000).mapToObj(i -> "m" + i).toList();
        List<String> backwards = new ArrayList<>(messages);
        Collections.reverse(backwards);
        List<CompletableFuture<Integer>> running = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> jdbi.<Integer, RuntimeException>inTransaction(
                        tx -> guard.onceAll(tx, i % 2 == 0 ? messages : backwards, Function.identity(), fresh -> {})
                                .size())))
                .toList();
        assertThat(running.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(20_000);
    }

    @Test
    void batches_that_overlap_apply_each_message_once_also_when_one_rolls_back() {
        List<String> applied = Collections.synchronizedList(new ArrayList<>());
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int from = 0; from < 4; from++) {
                List<String> batch = ids(round, from * 1_000, from * 1_000 + 2_000);
                boolean rollsBack = from == 1;
                running.add(CompletableFuture.runAsync(() -> {
                    try (Handle tx = jdbi.open()) {
                        tx.begin();
                        List<String> fresh = guard.onceAll(tx, batch, Function.identity(), all -> {});
                        if (rollsBack) {
                            tx.rollback();
                        } else {
                            applied.addAll(fresh);
                            tx.commit();
                        }
                    }
                }));
            }
            running.forEach(CompletableFuture::join);
        }
        assertThat(applied).doesNotHaveDuplicates();
        int marked = jdbi.withHandle(handle -> handle.select("SELECT count(*) FROM processed_messages")
                .mapTo(Integer.class)
                .one());
        assertThat(applied).hasSize(marked);
        assertThat(marked).isGreaterThanOrEqualTo(5 * 4_000);
    }

    private static List<String> ids(int round, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> round + "-" + i).toList();
    }
}
