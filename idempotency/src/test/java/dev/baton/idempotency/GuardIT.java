package dev.baton.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.servers.Postgres;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.util.PSQLException;

@Timeout(60)
class GuardIT {
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));
    private final Guard guard = Guard.forConsumer("loyalty.award-points");

    @BeforeEach
    void create() {
        GuardSchema.migrate(jdbi);
        jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE accounts (points int NOT NULL)");
            handle.execute("INSERT INTO accounts VALUES (0)");
        });
    }

    @Test
    void an_effect_is_applied_once_however_often_the_message_comes() {
        assertThat(award("m1")).isTrue();
        assertThat(award("m1")).isFalse();
        assertThat(award("m2")).isTrue();
        assertThat(points()).isEqualTo(2);
    }

    @Test
    void another_consumer_has_a_memory_of_its_own() {
        award("m1");
        Guard other = Guard.forConsumer("statistics");
        jdbi.useTransaction(
                tx -> assertThat(other.once(tx, "m1", () -> add(tx))).isTrue());
        assertThat(points()).isEqualTo(2);
    }

    @Test
    void an_effect_that_fails_leaves_the_message_unprocessed() {
        assertThatThrownBy(() -> jdbi.useTransaction(tx -> guard.once(tx, "m1", () -> {
                    add(tx);
                    throw new IllegalStateException("half way");
                })))
                .hasMessage("half way");
        assertThat(points()).isZero();
        assertThat(award("m1")).isTrue();
    }

    @Test
    void of_two_at_once_the_second_waits_and_finds_the_effect_applied() {
        CompletableFuture<Boolean> second;
        try (Handle first = jdbi.open()) {
            first.begin();
            guard.once(first, "m1", () -> add(first));
            second = CompletableFuture.supplyAsync(() -> award("m1"));
            awaitBlocked();
            first.commit();
        }
        assertThat(second.join()).isFalse();
        assertThat(points()).isEqualTo(1);
    }

    @Test
    void of_two_at_once_the_second_applies_the_effect_if_the_first_rolls_back() {
        CompletableFuture<Boolean> second;
        try (Handle first = jdbi.open()) {
            first.begin();
            guard.once(first, "m1", () -> add(first));
            second = CompletableFuture.supplyAsync(() -> award("m1"));
            awaitBlocked();
            first.rollback();
        }
        assertThat(second.join()).isTrue();
        assertThat(points()).isEqualTo(1);
    }

    @Test
    void a_handle_outside_a_transaction_is_refused_and_nothing_is_applied() {
        AtomicBoolean applied = new AtomicBoolean();
        jdbi.useHandle(handle -> assertThatThrownBy(() -> guard.once(handle, "m1", () -> applied.set(true)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not in a transaction"));
        assertThat(applied).isFalse();
        assertThat(award("m1")).isTrue();
    }

    @Test
    void a_blank_consumer_or_message_is_refused() {
        assertThatThrownBy(() -> Guard.forConsumer(" ")).hasMessageContaining("consumer is blank");
        assertThatThrownBy(() -> award(" ")).hasMessageContaining("messageId is blank");
    }

    @Test
    void an_effect_with_a_result_gives_it_the_first_time_only() {
        assertThat(jdbi.<Optional<Integer>, RuntimeException>inTransaction(tx -> guard.supplyOnce(tx, "m1", () -> 7)))
                .contains(7);
        assertThat(jdbi.<Optional<Integer>, RuntimeException>inTransaction(tx -> guard.supplyOnce(tx, "m1", () -> 8)))
                .isEmpty();
    }

    @Test
    void under_repeatable_read_what_was_marked_meanwhile_is_a_serialization_failure_and_never_applied() {
        for (boolean batch : List.of(false, true)) {
            String message = "m-" + batch;
            assertThatThrownBy(() -> jdbi.useTransaction(TransactionIsolationLevel.REPEATABLE_READ, tx -> {
                        tx.execute("SELECT 1 FROM accounts");
                        // On another thread: here it would join this transaction.
                        CompletableFuture.runAsync(() -> award(message)).join();
                        if (batch) {
                            guard.onceAll(tx, List.of(message, "other"), Function.identity(), all -> add(tx));
                        } else {
                            guard.once(tx, message, () -> add(tx));
                        }
                    }))
                    .hasRootCauseInstanceOf(PSQLException.class)
                    .rootCause()
                    .extracting(e -> ((PSQLException) e).getSQLState())
                    .isEqualTo("40001");
        }
        assertThat(points()).isEqualTo(2);
    }

    @Test
    void an_id_that_does_not_fit_the_index_or_is_no_text_is_refused() {
        assertThatThrownBy(() -> award("\u4e00".repeat(434)))
                .hasMessage("messageId has 1302 bytes in UTF-8; at most 1300 are allowed");
        assertThatThrownBy(() -> award("a\ud800b"))
                .hasMessage("messageId has half a surrogate pair at index 1, which PostgreSQL cannot store");
        assertThat(award("\ud83d\ude00".repeat(250))).isTrue();
        StringBuilder random = new StringBuilder();
        new Random(1).ints(433, 0x4e00, 0x9fa5).forEach(random::appendCodePoint);
        Guard longest = Guard.forConsumer(random.toString());
        assertThat(jdbi.<Boolean, RuntimeException>inTransaction(
                        tx -> longest.once(tx, random.reverse().toString(), () -> {})))
                .isTrue();
    }

    @Test
    void a_jdbc_connection_does_as_well_and_auto_commit_is_refused() throws Exception {
        try (Handle handle = jdbi.open()) {
            Connection connection = handle.getConnection();
            assertThatThrownBy(() -> guard.once(connection, "m1", () -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
            connection.setAutoCommit(false);
            assertThat(guard.once(connection, "m1", () -> {})).isTrue();
            assertThat(guard.once(connection, "m1", () -> {})).isFalse();
            assertThat(guard.supplyOnce(connection, "m2", () -> "r")).contains("r");
            assertThat(guard.onceAll(connection, List.of("m1", "m3"), Function.identity(), fresh -> {}))
                    .containsExactly("m3");
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(award("m1")).isFalse();
    }

    @Test
    void a_checked_failure_of_the_effect_reaches_the_caller_as_it_is() {
        assertThatThrownBy(() -> jdbi.useTransaction(tx -> guard.once(tx, "m1", () -> {
                    throw new IOException("disk");
                })))
                .isExactlyInstanceOf(IOException.class);
    }

    @Test
    void whoever_holds_the_message_for_too_long_is_not_waited_for() {
        Guard impatient = guard.waitingAtMost(Duration.ofMillis(200));
        try (Handle first = jdbi.open()) {
            first.begin();
            guard.once(first, "m1", () -> add(first));
            assertThatThrownBy(() -> jdbi.useTransaction(tx -> impatient.once(tx, "m1", () -> add(tx))))
                    .isInstanceOf(GuardBusyException.class)
                    .hasMessageContaining("PT0.2S");
            assertThatThrownBy(() -> jdbi.useTransaction(
                            tx -> impatient.onceAll(tx, List.of("m0", "m1"), Function.identity(), fresh -> {})))
                    .isInstanceOf(GuardBusyException.class);
            first.commit();
        }
        assertThat(points()).isEqualTo(1);
    }

    @Test
    void the_callers_own_bound_on_waiting_is_left_as_it_was() {
        jdbi.useTransaction(tx -> {
            tx.execute("SET LOCAL lock_timeout = '7s'");
            Guard bounded = guard.waitingAtMost(Duration.ofSeconds(2));
            bounded.once(tx, "m1", () -> add(tx));
            bounded.once(tx, "m1", () -> add(tx));
            bounded.onceAll(tx, List.of("m1", "m2"), Function.identity(), fresh -> {});
            assertThat(tx.createQuery("SHOW lock_timeout").mapTo(String.class).one())
                    .isEqualTo("7s");
        });
    }

    @Test
    void a_bad_name_or_wait_is_refused_with_its_bound() {
        assertThatThrownBy(() -> award("x".repeat(501)))
                .hasMessageContaining("501")
                .hasMessageContaining("500");
        assertThatThrownBy(() -> award("a\0b")).hasMessageContaining("null character");
        assertThatThrownBy(() -> guard.waitingAtMost(Duration.ZERO)).hasMessageContaining("PT0S");
        assertThat(award("x".repeat(500))).isTrue();
    }

    private boolean award(String message) {
        return jdbi.inTransaction(tx -> guard.once(tx, message, () -> add(tx)));
    }

    private static void add(Handle tx) {
        tx.execute("UPDATE accounts SET points = points + 1");
    }

    private int points() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT points FROM accounts")
                .mapTo(Integer.class)
                .one());
    }

    /** Until the second transaction waits for the first one's row. */
    private void awaitBlocked() {
        await().until(() -> jdbi.withHandle(handle -> handle.createQuery(
                                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                        + " AND query LIKE '%INTO processed_messages%'")
                        .mapTo(Integer.class)
                        .one())
                == 1);
    }
}
