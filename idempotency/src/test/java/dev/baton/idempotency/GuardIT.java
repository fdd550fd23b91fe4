package dev.baton.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.servers.Postgres;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
