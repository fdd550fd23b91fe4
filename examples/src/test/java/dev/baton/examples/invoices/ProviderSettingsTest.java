package dev.baton.examples.invoices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.failure.RetryPolicy;
import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProviderSettingsTest {
    private static final Integer[] MINUTES = {5, 15, 60};

    @Test
    void three_retries_are_four_attempts_after_5_15_and_60_minutes() {
        RetryPolicy policy = ProviderSettings.policy(3, MINUTES, 1);

        assertThat(policy.attempts()).isEqualTo(4);
        assertThat(IntStream.rangeClosed(1, 3)
                        .mapToObj(failed -> policy.backoff().delay(failed, new Random(1))))
                .containsExactly(Duration.ofMinutes(5), Duration.ofMinutes(15), Duration.ofMinutes(60));
    }

    @Test
    void a_factor_makes_them_shorter_and_changes_nothing_else() {
        RetryPolicy policy = ProviderSettings.policy(3, MINUTES, 1 / 300.0);

        assertThat(policy.attempts()).isEqualTo(4);
        assertThat(policy.horizon().worst()).isEqualTo(Duration.ofSeconds(16));
    }
}
