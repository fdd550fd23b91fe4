package dev.baton.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

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
    void an_error_class_keeps_its_meaning_inside_wrappers_and_a_chain_that_loops() {
        Exception outer = new Exception("outer");
        Exception inner = new Exception("inner", outer);
        outer.initCause(new ExecutionException(new UndeclaredThrowableException(new PermanentException("no", inner))));

        assertThat(decide(1, 1, outer)).isEqualTo(new Outcome.Bury(DeathReason.PERMANENT));
    }

    @Test
    void a_chain_that_loops_without_an_error_class_is_transient() {
        Exception outer = new Exception("outer");
        outer.initCause(new Exception("inner", outer));

        assertThat(decide(1, 1, outer)).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void a_budget_spent_by_crashes_is_noticed_before_the_start() {
        assertThat(FailureRules.spent(POLICY, 5, 3)).isEmpty();
        assertThat(FailureRules.spent(POLICY, 6, 1)).contains(DeathReason.STARTS);
        assertThat(FailureRules.spent(POLICY, 4, 4)).contains(DeathReason.ATTEMPTS);
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
        return FailureRules.decide(POLICY, start, attempt, failure, new Random(1));
    }
}
