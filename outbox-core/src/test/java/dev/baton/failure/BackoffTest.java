package dev.baton.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration CAP = Duration.ofMinutes(15);
    private final Backoff backoff = Backoff.exponential(Duration.ofSeconds(2), CAP);
    private final Random random = new Random(7);

    @Test
    void each_delay_lies_in_the_upper_half_of_its_doubled_ceiling() {
        for (int failed = 1; failed <= 9; failed++) {
            long ceiling = 2_000L << (failed - 1);
            for (int i = 0; i < 1_000; i++) {
                assertThat(backoff.delay(failed, random).toMillis()).isBetween(ceiling / 2, ceiling);
            }
        }
    }

    @Test
    void jitter_uses_the_whole_upper_half() {
        List<Long> delays = IntStream.range(0, 10_000)
                .mapToObj(i -> backoff.delay(1, random).toMillis())
                .toList();
        assertThat(delays).anyMatch(ms -> ms < 1_050).anyMatch(ms -> ms > 1_950);
    }

    @Test
    void no_delay_exceeds_the_cap_however_many_attempts_failed() {
        for (int failed : new int[] {10, 11, 40, 62, 63, 64, 65, 1_000, Integer.MAX_VALUE}) {
            assertThat(backoff.delay(failed, random)).isBetween(CAP.dividedBy(2), CAP);
        }
    }

    @Test
    void a_cap_below_the_first_delay_is_refused_with_both_values() {
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cap is PT1S; it must be at least first, which is PT2S");
    }

    @Test
    void a_first_delay_of_nothing_is_refused() {
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(Long.MAX_VALUE), CAP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cap is " + CAP);
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it must be at most PT8760H");
        assertThatThrownBy(() -> Backoff.exponential(Duration.ZERO, CAP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("first is PT0S");
    }

    @Test
    void a_list_of_delays_is_used_in_turn_and_then_its_last() {
        Backoff steps = Backoff.delays(List.of(Duration.ofMinutes(5), Duration.ofMinutes(15), Duration.ofMinutes(60)));
        assertThat(IntStream.rangeClosed(1, 5)
                        .mapToObj(failed -> steps.delay(failed, random).toMinutes()))
                .containsExactly(5L, 15L, 60L, 60L, 60L);
        assertThat(Backoff.fixed(Duration.ofSeconds(3)).delay(9, random)).hasSeconds(3);
    }

    @Test
    void a_policy_is_read_back_from_its_text() {
        for (Backoff each : List.of(backoff, Backoff.fixed(Duration.ofSeconds(3)), Backoff.delays(List.of(CAP, CAP)))) {
            RetryPolicy policy = new RetryPolicy(3, 9, each);
            assertThat(RetryPolicy.parse(policy.toText())).isEqualTo(policy);
        }
        assertThatThrownBy(() -> RetryPolicy.parse("3 9 nonsense:1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void delays_out_of_bounds_are_refused() {
        assertThatThrownBy(() -> Backoff.delays(List.of())).hasMessageContaining("give at least one");
        assertThatThrownBy(() -> Backoff.fixed(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
    }

    @Test
    void the_horizon_is_the_sum_of_the_waits_on_average_and_at_worst() {
        RetryPolicy policy = RetryPolicy.DEFAULT.withAttempts(4);
        assertThat(policy.horizon())
                .isEqualTo(new RetryPolicy.Horizon(Duration.ofMillis(10_500), Duration.ofSeconds(14)));
        assertThat(new RetryPolicy(4, 9, Backoff.delays(List.of(Duration.ofMinutes(5), Duration.ofMinutes(15))))
                        .horizon()
                        .worst())
                .hasMinutes(35);
        assertThat(policy.withAttempts(1).horizon().worst()).isZero();
    }

    @Test
    void a_horizon_is_told_in_words() {
        assertThat(RetryPolicy.DEFAULT.withAttempts(14).horizon())
                .hasToString("last attempt after 58 min on average, 77 min at worst");
        assertThat(RetryPolicy.DEFAULT.withAttempts(4).horizon())
                .hasToString("last attempt after 11 s on average, 14 s at worst");
    }

    @Test
    void whatever_the_setting_no_delay_exceeds_the_longest_and_their_mean_is_the_average() {
        for (int round = 0; round < 200; round++) {
            Duration first = Duration.ofMillis(1 + random.nextInt(100_000));
            Backoff any = Backoff.exponential(first, first.plusMillis(random.nextInt(10_000_000)));
            int failed = 1 + random.nextInt(40);
            double sum = 0;
            for (int i = 0; i < 400; i++) {
                Duration delay = any.delay(failed, random);
                assertThat(delay).isBetween(any.longest(failed).dividedBy(2), any.longest(failed));
                sum += delay.toMillis();
            }
            double average = any.average(failed).toMillis();
            assertThat(sum / 400).isBetween(average * 0.95 - 1, average * 1.05 + 1);
        }
    }

    @Test
    void a_delay_is_a_pure_function_of_the_failures_and_the_random_source() {
        for (int failed = 1; failed < 20; failed++) {
            assertThat(backoff.delay(failed, new Random(failed))).isEqualTo(backoff.delay(failed, new Random(failed)));
        }
    }

    @Test
    void code_of_ones_own_is_tried_for_its_horizon() {
        Backoff own = (failed, source) -> Duration.ofMillis(source.nextInt(1_000));
        assertThat(own.average(1)).isEqualTo(own.average(1)).isBetween(Duration.ofMillis(450), Duration.ofMillis(550));
        assertThat(own.longest(1)).isBetween(Duration.ofMillis(990), Duration.ofMillis(999));
    }

    @Test
    void numbers_beyond_any_sense_are_refused_with_their_bound() {
        assertThatThrownBy(() -> Backoff.exponential(CAP, Duration.ofDays(366)))
                .hasMessageContaining("cap is PT8784H")
                .hasMessageContaining("PT8760H");
        assertThatThrownBy(() -> Backoff.fixed(Duration.ofDays(366))).hasMessageContaining("a delay is PT8784H");
        assertThatThrownBy(() -> RetryPolicy.DEFAULT.withAttempts(10_001)).hasMessageContaining("at most 10000");
    }
}
