package dev.baton.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.idempotency.LeasedGuard.LeasedEffect;
import dev.baton.servers.Postgres;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LeasedGuardIT {
    private static final Fingerprint TEN = Fingerprint.ofJson("{\"amount\":10,\"to\":\"x\"}");
    private static final Fingerprint TEN_AGAIN = Fingerprint.ofJson("{\"to\":\"x\", \"amount\":10.0}");
    private static final Fingerprint TWENTY = Fingerprint.ofJson("{\"amount\":20,\"to\":\"x\"}");

    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));
    private final LeasedGuard guard = LeasedGuard.forConsumer(jdbi, "payments.refund", Duration.ofMinutes(5));

    @BeforeEach
    void create() {
        GuardSchema.migrate(jdbi);
    }

    @Test
    void while_one_run_has_the_key_others_are_told_and_when_it_has_finished_they_get_its_answer() {
        List<Verdict> meanwhile = new ArrayList<>();
        List<Map<String, Object>> rows = new ArrayList<>();
        Verdict a = guard.execute("k1", TEN, claim -> {
            rows.add(row());
            meanwhile.add(guard.execute("k1", TEN_AGAIN, never()));
            meanwhile.add(guard.execute("k1", TWENTY, never()));
            rows.add(row());
            return "refund-1";
        });

        assertThat(a).isEqualTo(new Verdict.Executed("refund-1"));
        assertThat(meanwhile.get(0)).isInstanceOf(Verdict.InProgress.class);
        assertThat(meanwhile.get(1)).isEqualTo(new Verdict.Mismatch());
        assertThat(rows.get(0)).isEqualTo(rows.get(1));
        assertThat(guard.execute("k1", TEN_AGAIN, never()))
                .isInstanceOfSatisfying(
                        Verdict.Replayed.class, d -> assertThat(d.result()).isEqualTo("refund-1"));
        assertThat(guard.execute("k1", TWENTY, never())).isEqualTo(new Verdict.Mismatch());
    }

    @Test
    void an_update_names_the_owner_as_well_as_the_fence() throws Exception {
        jdbi.useHandle(handle -> {
            RequestKeys mine = new RequestKeys("c", "me");
            long fence = mine.claim(handle.getConnection(), "k", TEN, Duration.ofMinutes(1))
                    .orElseThrow();
            RequestKeys another = new RequestKeys("c", "another");
            assertThat(another.extend(handle.getConnection(), "k", fence, Duration.ofHours(1)))
                    .isFalse();
            assertThat(another.finish(handle.getConnection(), "k", fence, RequestKeys.State.DONE, "r"))
                    .isFalse();
            assertThat(mine.finish(handle.getConnection(), "k", fence + 1, RequestKeys.State.DONE, "r"))
                    .isFalse();
            assertThat(mine.finish(handle.getConnection(), "k", fence, RequestKeys.State.DONE, "r"))
                    .isTrue();
        });
    }

    @Test
    void after_a_crash_the_key_is_free_for_the_same_request_when_the_lease_has_ended() {
        crashed("k1");
        assertThat(guard.execute("k1", TEN, never())).isInstanceOf(Verdict.InProgress.class);
        endLease();
        assertThat(guard.execute("k1", TWENTY, never())).isEqualTo(new Verdict.Mismatch());
        assertThat(guard.execute("k1", TEN, claim -> "r")).isEqualTo(new Verdict.Executed("r"));
    }

    @Test
    void a_run_that_was_overtaken_changes_nothing_and_is_told() {
        List<Verdict> overtaker = new ArrayList<>();
        assertThatThrownBy(() -> guard.execute("k1", TEN, late -> {
                    endLease();
                    // By the very same guard: only the fence tells the two runs apart.
                    overtaker.add(guard.execute("k1", TEN, claim -> {
                        assertThat(claim.fence()).isGreaterThan(late.fence());
                        assertThat(late.renew()).isFalse();
                        assertThatThrownBy(() -> guard.execute("k2", TEN, other -> {
                                    throw new IllegalStateException("unrelated");
                                }))
                                .hasMessage("unrelated");
                        return "second";
                    }));
                    return "first";
                }))
                .isInstanceOf(ClaimLostException.class)
                .hasMessageContaining("k1");
        assertThat(overtaker).containsExactly(new Verdict.Executed("second"));
        assertThat(guard.execute("k1", TEN, never()))
                .isInstanceOfSatisfying(
                        Verdict.Replayed.class, it -> assertThat(it.result()).isEqualTo("second"));
    }

    @Test
    void a_late_run_cannot_finish_while_the_overtaker_is_at_work() {
        assertThat(guard.execute("k1", TEN, first -> "done")).isInstanceOf(Verdict.Executed.class);
        assertThatThrownBy(() -> guard.execute("k2", TEN, late -> {
                    endLease();
                    jdbi.useHandle(handle -> handle.execute(
                            "UPDATE request_keys SET fence = nextval('request_fence'), lease_end = now() + interval"
                                    + " '5 min' WHERE key = 'k2'"));
                    return "late";
                }))
                .isInstanceOf(ClaimLostException.class);
        assertThat(guard.execute("k2", TEN, never())).isInstanceOf(Verdict.InProgress.class);
    }

    @Test
    void a_lease_that_ended_but_was_taken_by_nobody_does_no_harm_and_a_renewal_extends_it() {
        assertThat(guard.execute("k1", TEN, claim -> {
                    endLease();
                    assertThat(claim.renew()).isTrue();
                    assertThat(guard.execute("k1", TEN, never())).isInstanceOf(Verdict.InProgress.class);
                    endLease();
                    return "r";
                }))
                .isEqualTo(new Verdict.Executed("r"));
    }

    @Test
    void a_failure_frees_the_key_at_once_but_not_for_another_request() {
        assertThatThrownBy(() -> guard.execute("k1", TEN, claim -> {
                    throw new IOException("timeout");
                }))
                .isExactlyInstanceOf(IOException.class);
        assertThat(guard.execute("k1", TWENTY, never())).isEqualTo(new Verdict.Mismatch());
        assertThat(guard.execute("k1", TEN, claim -> "r")).isEqualTo(new Verdict.Executed("r"));
    }

    @Test
    void a_failure_that_is_final_is_told_to_whoever_repeats_the_request() {
        LeasedGuard remembering = guard.remembering(failure -> failure instanceof IllegalArgumentException);
        assertThatThrownBy(() -> remembering.execute("k1", TEN, claim -> {
                    throw new IllegalArgumentException("no such account\u0000");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(remembering.execute("k1", TEN, never()))
                .isInstanceOfSatisfying(
                        Verdict.FailedBefore.class,
                        it -> assertThat(it.error())
                                .isEqualTo("java.lang.IllegalArgumentException: no such account\u2400"));
        assertThat(remembering.execute("k1", TWENTY, never())).isEqualTo(new Verdict.Mismatch());
    }

    @SuppressWarnings("NullAway") // not everybody has it
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"paid\0", "paid \ud83d"})
    void an_answer_that_cannot_be_stored_is_told_and_its_effect_is_not_repeated(@Nullable String answer) {
        assertThatThrownBy(() -> guard.execute("k1", TEN, claim -> answer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the effect was applied, but its answer cannot be stored");
        assertThat(guard.execute("k1", TEN, never()))
                .isInstanceOfSatisfying(
                        Verdict.FailedBefore.class,
                        before -> assertThat(before.error()).contains("cannot be stored"));
    }

    @Test
    void a_key_held_by_an_open_transaction_is_in_progress() {
        RequestGuard inTransaction = RequestGuard.forConsumer("payments.refund");
        try (Handle handle = jdbi.open()) {
            handle.begin();
            inTransaction.execute(handle, "k1", TEN, () -> "r");
            assertThat(guard.execute("k1", TEN, never())).isEqualTo(new Verdict.InProgress(null));
            handle.commit();
        }
        assertThat(guard.execute("k1", TEN, never())).isInstanceOf(Verdict.Replayed.class);
    }

    @Test
    void a_bad_lease_is_refused_with_its_bound() {
        assertThatThrownBy(() -> LeasedGuard.forConsumer(jdbi, "c", Duration.ofMillis(99)))
                .hasMessageContaining("PT0.099S")
                .hasMessageContaining("PT0.1S");
    }

    /** A run whose process died: it claimed, and neither finished nor gave the key back. */
    private void crashed(String key) {
        jdbi.useTransaction(tx -> Transactions.run(
                tx,
                connection ->
                        new RequestKeys("payments.refund", "dead").claim(connection, key, TEN, Duration.ofMinutes(5))));
    }

    /** As if the time were over. */
    private void endLease() {
        jdbi.useHandle(handle -> handle.execute(
                "UPDATE request_keys SET lease_end = now() - interval '1 ms'" + " WHERE state = 'RUNNING'"));
    }

    private Map<String, Object> row() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT *, xmin::text FROM request_keys")
                .mapToMap()
                .one());
    }

    private static LeasedEffect<RuntimeException> never() {
        return claim -> {
            throw new AssertionError("applied though it must not be");
        };
    }
}
