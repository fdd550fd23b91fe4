package dev.baton.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.servers.Postgres;
import java.time.Duration;
import java.util.List;
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
        assertThat(jdbi.<List<String>, RuntimeException>inTransaction(
                        tx -> guard.onceAll(tx, List.of("new", "old-1"), Function.identity(), fresh -> {})))
                .containsExactly("old-1");
    }

    @Test
    void a_batch_is_bounded_and_looks_at_its_own_pages_only() {
        GuardSchema.migrate(jdbi);
        jdbi.useHandle(handle -> {
            handle.execute("INSERT INTO processed_messages SELECT 'c', 'old-' || n, now() - interval '11 days'"
                    + " FROM generate_series(1, 30000) AS n");
            handle.execute("CREATE TABLE deletions (gone bigint)");
            handle.execute("CREATE FUNCTION log_deletion() RETURNS trigger LANGUAGE plpgsql AS"
                    + " $$ BEGIN INSERT INTO deletions SELECT count(*) FROM gone; RETURN NULL; END $$");
            handle.execute("CREATE TRIGGER logged AFTER DELETE ON processed_messages REFERENCING OLD TABLE AS gone"
                    + " FOR EACH STATEMENT EXECUTE FUNCTION log_deletion()");
        });
        assertThat(TEN_DAYS.purge(jdbi)).isEqualTo(30_000);
        assertThat(number("SELECT sum(gone) FROM deletions")).isEqualTo(30_000);
        assertThat(number("SELECT max(gone) FROM deletions")).isLessThan(5_500);
        List<String> plan =
                jdbi.withHandle(handle -> handle.select("EXPLAIN " + GuardRetention.PURGE_MESSAGES, 0L, 32L, 1L)
                        .mapTo(String.class)
                        .list());
        assertThat(plan).anyMatch(line -> line.contains("Tid Range Scan"));
    }

    private long number(String sql) {
        return jdbi.withHandle(handle -> handle.select(sql).mapTo(Long.class).one());
    }

    @Test
    void a_memory_shorter_than_a_message_can_be_on_its_way_is_refused() {
        Duration horizon = Duration.ofHours(2);
        Duration window = Duration.ofDays(7);
        for (Duration tooShort : List.of(Duration.ZERO, horizon, window, window.plus(horizon))) {
            assertThatThrownBy(() -> GuardRetention.of(tooShort, horizon, window))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("retention is " + tooShort)
                    .hasMessageContaining("PT168H")
                    .hasMessageContaining("PT2H");
        }
        assertThat(GuardRetention.of(window.plus(horizon).plusMillis(1), horizon, window))
                .isNotNull();
    }
}
