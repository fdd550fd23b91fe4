package dev.baton.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.servers.Postgres;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GuardRetentionIT {
    private static final GuardRetention TEN_DAYS =
            GuardRetention.of(Duration.ofDays(10), Duration.ofHours(2), Duration.ofDays(7));

    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));

    @Test
    void what_is_older_is_forgotten_in_batches_and_the_rest_stays() {
        GuardSchema.migrate(jdbi);
        Guard guard = Guard.forConsumer("c");
        jdbi.useTransaction(
                tx -> guard.onceAll(tx, IntStream.range(0, 6_500).boxed().toList(), i -> "old-" + i, fresh -> {}));
        LeasedGuard leased = LeasedGuard.forConsumer(jdbi, "c", Duration.ofMinutes(1));
        leased.execute("old", Fingerprint.ofJson("1"), claim -> "r");
        jdbi.useHandle(handle -> {
            handle.execute("UPDATE processed_messages SET processed_at = now() - interval '11 days'");
            handle.execute("UPDATE request_keys SET finished_at = now() - interval '11 days'");
        });
        jdbi.useTransaction(tx -> guard.once(tx, "new", () -> {}));
        leased.execute("new", Fingerprint.ofJson("1"), claim -> {
            jdbi.useHandle(handle -> handle.execute(
                    "UPDATE request_keys SET started_at = now() - interval '11 days' WHERE key = 'new'"));
            assertThat(TEN_DAYS.purge(jdbi)).isEqualTo(6_501);
            return "r";
        });
        assertThat(TEN_DAYS.purge(jdbi)).isZero();
        assertThat(jdbi.<java.util.List<String>, RuntimeException>inTransaction(
                        tx -> guard.onceAll(tx, java.util.List.of("new", "old-1"), Function.identity(), fresh -> {})))
                .containsExactly("old-1");
    }

    @Test
    void a_memory_shorter_than_a_message_can_be_on_its_way_is_refused() {
        assertThatThrownBy(() -> GuardRetention.of(Duration.ofDays(7), Duration.ofHours(2), Duration.ofDays(7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT168H")
                .hasMessageContaining("PT2H");
    }
}
