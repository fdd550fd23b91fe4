package dev.baton.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureRulesTest {
    private static final RetryPolicy POLICY = new RetryPolicy(3, 5, (failed, random) -> Duration.ofSeconds(failed));

    @Test
    void an_unclassified_failure_backs_off_by_its_attempt() {
        assertThat(decide(1, 1, new IllegalStateException())).isEqualTo(new Outcome.Retry(Duration.ofSeconds(1)));
        assertThat(decide(4, 2, new IllegalStateException())).isEqualTo(new Outcome.Retry(Duration.ofSeconds(2)));
    }

    @Test
    void the_last_attempt_buries() {
        assertThat(decide(3, 3, new IllegalStateException())).isEqualTo(new Outcome.Bury(DeathReason.ATTEMPTS));
    }

    @Test
    void a_permanent_failure_buries_at_the_first_attempt() {
        assertThat(decide(1, 1, new PermanentException("no"))).isEqualTo(new Outcome.Bury(DeathReason.PERMANENT));
    }

    @Test
    void retry_later_and_throttled_use_up_no_attempt() {
        assertThat(decide(4, 3, new RetryLaterException(Duration.ofSeconds(9), "early")))
                .isEqualTo(new Outcome.Postpone(Duration.ofSeconds(9)));
        assertThat(decide(4, 3, new ThrottledException(Duration.ofSeconds(9), "quota")))
                .isEqualTo(new Outcome.Throttle(Duration.ofSeconds(9)));
    }

    @Test
    void a_negative_delay_means_now() {
        assertThat(decide(1, 1, new RetryLaterException(Duration.ofSeconds(-9), "early")))
                .isEqualTo(new Outcome.Postpone(Duration.ZERO));
    }

    @Test
    void the_last_start_buries_whatever_it_ended_in() {
        assertThat(decide(5, 1, new RetryLaterException(Duration.ofSeconds(9), "early")))
                .isEqualTo(new Outcome.Bury(DeathReason.STARTS));
    }

    @Test
    void a_budget_spent_by_crashes_is_noticed_before_the_start() {
        assertThat(FailureRules.spent(POLICY, 5, 3)).isEmpty();
        assertThat(FailureRules.spent(POLICY, 6, 1)).contains(DeathReason.STARTS);
        assertThat(FailureRules.spent(POLICY, 4, 4)).contains(DeathReason.ATTEMPTS);
    }

    @ParameterizedTest
    @CsvSource({
        "22P02, true",
        "22001, true",
        "23502, true",
        "23514, true",
        "23503, false",
        "23505, false",
        "40001, false",
        "40P01, false",
        "08006, false",
        "42703, false",
        "53300, false",
        "57P01, false",
        "55P03, false"
    })
    void a_database_error_is_permanent_only_if_the_data_is_at_fault(String state, boolean permanent) {
        SQLException error = new SQLException("says the database", state);
        Meaning expected = permanent ? Meaning.PERMANENT : Meaning.TRANSIENT;
        assertThat(FailureRules.DEFAULT.meaningOf(new RuntimeException(error))).isEqualTo(expected);
        SQLException batch = new SQLException("batch");
        batch.setNextException(error);
        assertThat(FailureRules.DEFAULT.meaningOf(batch)).isEqualTo(expected);
    }

    @Test
    void everything_else_is_transient_errors_and_interrupts_too() {
        for (Throwable each : List.of(
                new IOException("reset"),
                new OutOfMemoryError(),
                new NoClassDefFoundError("x"),
                new StackOverflowError(),
                new InterruptedException(),
                new SQLException("without a state"))) {
            assertThat(FailureRules.DEFAULT.meaningOf(each)).isEqualTo(Meaning.TRANSIENT);
        }
    }

    @Test
    void rules_of_ones_own_go_before_the_default_ones_in_order_and_behind_the_error_classes() {
        Meaning quota = new Meaning.Throttled(Duration.ofSeconds(9));
        FailureRules rules = FailureRules.DEFAULT.with(
                FailureRule.onType(UncheckedIOException.class, Meaning.PERMANENT),
                FailureRule.when(failure -> "quota".equals(failure.getMessage()), quota),
                FailureRule.onType(IOException.class, Meaning.PERMANENT),
                FailureRule.onSqlState("23505", Meaning.PERMANENT));

        assertThat(rules.meaningOf(new IOException("quota"))).isEqualTo(quota);
        assertThat(rules.meaningOf(new IOException("other"))).isEqualTo(Meaning.PERMANENT);
        assertThat(rules.meaningOf(new UncheckedIOException(new IOException("quota"))))
                .isEqualTo(Meaning.PERMANENT);
        assertThat(rules.meaningOf(new SQLException("twice", "23505"))).isEqualTo(Meaning.PERMANENT);
        assertThat(rules.meaningOf(new SQLException("parent", "23503"))).isEqualTo(Meaning.TRANSIENT);
        assertThat(rules.meaningOf(new IOException(new RetryLaterException(Duration.ofSeconds(3), "early"))))
                .isEqualTo(new Meaning.Later(Duration.ofSeconds(3)));
    }

    @Test
    void a_rule_or_a_backoff_that_fails_keeps_no_job_from_being_settled() {
        FailureRules rules = FailureRules.DEFAULT.with(failure -> {
            throw new IllegalStateException("faulty rule");
        });
        assertThat(rules.meaningOf(new SQLException("data", "22001"))).isEqualTo(Meaning.PERMANENT);

        RetryPolicy faulty = new RetryPolicy(3, 5, (failed, random) -> {
            throw new IllegalStateException("faulty backoff");
        });
        assertThat(rules.decide(faulty, 1, 1, new IOException(), new Random(1))).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void no_wait_is_longer_than_a_store_can_count() {
        assertThat(decide(1, 1, new RetryLaterException(Duration.ofSeconds(Long.MAX_VALUE), "never")))
                .isEqualTo(new Outcome.Postpone(Duration.ofDays(365)));
    }

    @Test
    void a_prefix_that_is_no_sqlstate_is_refused() {
        assertThatThrownBy(() -> FailureRule.onSqlState("2", Meaning.PERMANENT)).hasMessageContaining("'2'");
    }

    @Test
    void a_policy_with_fewer_starts_than_attempts_is_refused() {
        assertThatThrownBy(() -> RetryPolicy.DEFAULT.withMaxStarts(7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxStarts is 7; it must be at least attempts, which is 8");
        assertThatThrownBy(() -> RetryPolicy.DEFAULT.withAttempts(0))
                .hasMessage("attempts is 0; it must be at least 1");
    }

    private static Outcome decide(int start, int attempt, Throwable failure) {
        return FailureRules.DEFAULT.decide(POLICY, start, attempt, failure, new Random(1));
    }
}
