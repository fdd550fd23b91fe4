package dev.baton.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.servers.Postgres;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestGuardIT {
    private static final Fingerprint TEN = Fingerprint.ofJson("{\"amount\":10}");
    private static final Fingerprint TWENTY = Fingerprint.ofJson("{\"amount\":20}");

    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));
    private final RequestGuard guard = RequestGuard.forConsumer("payments.refund");

    @BeforeEach
    void create() {
        GuardSchema.migrate(jdbi);
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE refunds (amount int NOT NULL)"));
    }

    @Test
    void a_repeat_gets_the_answer_and_another_request_with_the_key_is_a_mismatch() {
        assertThat(refund("k1", TEN)).isEqualTo(new Verdict.Executed("refund-1"));
        assertThat(refund("k1", TEN))
                .isInstanceOfSatisfying(
                        Verdict.Replayed.class, it -> assertThat(it.result()).isEqualTo("refund-1"));
        assertThat(refund("k1", TWENTY)).isEqualTo(new Verdict.Mismatch());
        assertThat(refund("k2", TWENTY)).isEqualTo(new Verdict.Executed("refund-2"));
        assertThat(refunds()).isEqualTo(2);
    }

    @Test
    void another_consumer_has_keys_of_its_own() {
        refund("k1", TEN);
        RequestGuard other = RequestGuard.forConsumer("orders.cancel");
        assertThat(jdbi.<Verdict, RuntimeException>inTransaction(tx -> other.execute(tx, "k1", TWENTY, () -> "c")))
                .isEqualTo(new Verdict.Executed("c"));
    }

    @Test
    void an_effect_that_fails_leaves_the_key_free() {
        assertThatThrownBy(() -> jdbi.useTransaction(tx -> guard.execute(tx, "k1", TEN, () -> {
                    throw new IllegalStateException("half way");
                })))
                .hasMessage("half way");
        assertThat(refund("k1", TWENTY)).isInstanceOf(Verdict.Executed.class);
    }

    @Test
    void a_caller_who_swallows_the_failure_and_commits_leaves_the_key_free_too() {
        jdbi.useTransaction(tx -> assertThatThrownBy(() -> guard.execute(tx, "k1", TEN, () -> {
                    throw new IllegalStateException("half way");
                }))
                .hasMessage("half way"));
        assertThat(refund("k1", TEN)).isInstanceOf(Verdict.Executed.class);
    }

    @Test
    void an_answer_that_cannot_be_stored_is_told_and_the_rollback_leaves_the_key_free() {
        assertThatThrownBy(() -> jdbi.useTransaction(tx -> guard.execute(tx, "k1", TEN, () -> {
                    tx.execute("INSERT INTO refunds VALUES (1)");
                    return "refund\0";
                })))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the effect's answer cannot be stored: it has a null character at index 6");
        assertThat(refunds()).isZero();
        assertThat(refund("k1", TEN)).isInstanceOf(Verdict.Executed.class);
    }

    @Test
    void of_two_at_once_the_second_waits_and_gets_the_firsts_answer() {
        CompletableFuture<Verdict> second;
        try (Handle first = jdbi.open()) {
            first.begin();
            guard.execute(first, "k1", TEN, () -> insert(first));
            second = CompletableFuture.supplyAsync(() -> refund("k1", TEN, guard.waitingAtMost(Duration.ofMinutes(1))));
            awaitBlocked();
            first.commit();
        }
        assertThat(second.join()).isInstanceOf(Verdict.Replayed.class);
        assertThat(refunds()).isEqualTo(1);
    }

    @Test
    void another_request_with_the_key_is_in_progress_until_the_first_commits_and_then_a_mismatch() {
        CompletableFuture<Verdict> patient;
        try (Handle first = jdbi.open()) {
            first.begin();
            guard.execute(first, "k1", TEN, () -> insert(first));
            assertThat(refund("k1", TWENTY, guard.waitingAtMost(Duration.ofMillis(100))))
                    .isEqualTo(new Verdict.InProgress(null));
            patient = CompletableFuture.supplyAsync(
                    () -> refund("k1", TWENTY, guard.waitingAtMost(Duration.ofMinutes(1))));
            awaitBlocked();
            first.commit();
        }
        assertThat(patient.join()).isEqualTo(new Verdict.Mismatch());
        assertThat(refund("k1", TEN)).isInstanceOf(Verdict.Replayed.class);
        assertThat(refunds()).isEqualTo(1);
    }

    @Test
    void after_the_wait_the_second_is_told_and_its_transaction_goes_on() {
        try (Handle first = jdbi.open()) {
            first.begin();
            guard.execute(first, "k1", TEN, () -> insert(first));
            jdbi.useTransaction(tx -> {
                tx.execute("SET LOCAL lock_timeout = '7s'");
                RequestGuard impatient = guard.waitingAtMost(Duration.ofMillis(100));
                assertThat(impatient.execute(tx, "k1", TEN, () -> insert(tx))).isEqualTo(new Verdict.InProgress(null));
                assertThat(impatient.execute(tx, "k2", TEN, () -> insert(tx))).isInstanceOf(Verdict.Executed.class);
                assertThat(tx.createQuery("SHOW lock_timeout")
                                .mapTo(String.class)
                                .one())
                        .isEqualTo("7s");
            });
            // As if its process had died.
            first.rollback();
        }
        assertThat(refunds()).isEqualTo(1);
        assertThat(refund("k1", TWENTY)).isInstanceOf(Verdict.Executed.class);
    }

    @Test
    void many_at_once_apply_it_once() {
        var all = java.util.stream.IntStream.range(0, 16)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> refund("k1", TEN, guard.waitingAtMost(Duration.ofMinutes(1)))))
                .toList();
        assertThat(all.stream().map(CompletableFuture::join).filter(it -> it instanceof Verdict.Executed))
                .hasSize(1);
        assertThat(refunds()).isEqualTo(1);
    }

    @Test
    void a_jdbc_connection_does_as_well_and_auto_commit_is_refused() throws Exception {
        try (Handle handle = jdbi.open()) {
            Connection connection = handle.getConnection();
            assertThatThrownBy(() -> guard.execute(connection, "k1", TEN, () -> "r"))
                    .hasMessageContaining("auto-commit");
            connection.setAutoCommit(false);
            assertThat(guard.execute(connection, "k1", TEN, () -> "r")).isInstanceOf(Verdict.Executed.class);
            assertThat(guard.execute(connection, "k1", TEN, () -> "r")).isInstanceOf(Verdict.Replayed.class);
            connection.rollback();
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> guard.execute(handle, "k1", TEN, () -> "r"))
                    .hasMessageContaining("not in a transaction");
        }
        assertThatThrownBy(() -> refund(" ", TEN)).hasMessageContaining("key is blank");
    }

    @Test
    void what_is_answered_does_not_appear_in_a_log() {
        refund("k1", TEN);
        assertThat(refund("k1", TEN).toString()).doesNotContain("refund-1");
        assertThat(new Verdict.Executed("secret")).hasToString("Executed");
    }

    private Verdict refund(String key, Fingerprint fingerprint) {
        return refund(key, fingerprint, guard);
    }

    private Verdict refund(String key, Fingerprint fingerprint, RequestGuard by) {
        return jdbi.inTransaction(tx -> by.execute(tx, key, fingerprint, () -> insert(tx)));
    }

    private static String insert(Handle tx) {
        tx.execute("INSERT INTO refunds VALUES (1)");
        return "refund-"
                + tx.createQuery("SELECT count(*) FROM refunds")
                        .mapTo(Integer.class)
                        .one();
    }

    private int refunds() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT count(*) FROM refunds")
                .mapTo(Integer.class)
                .one());
    }

    private void awaitBlocked() {
        await().until(() -> jdbi.withHandle(handle -> handle.createQuery(
                                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                        + " AND query LIKE '%INTO request_keys%'")
                        .mapTo(Integer.class)
                        .one())
                == 1);
    }
}
