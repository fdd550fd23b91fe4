package dev.baton.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpFailuresTest {
    private static final Instant NOW = Instant.parse("1994-11-06T08:49:07Z");

    @Test
    void a_429_throttles_for_as_long_as_it_says() {
        assertThat(of(429, "3"))
                .isInstanceOfSatisfying(
                        ThrottledException.class,
                        e -> assertThat(e.retryAfter()).hasSeconds(3))
                .hasMessage("capture: HTTP 429");
    }

    @Test
    void a_429_without_a_time_throttles_for_ten_seconds() {
        assertThat(of(429, null))
                .isInstanceOfSatisfying(
                        ThrottledException.class,
                        e -> assertThat(e.retryAfter()).hasSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 500, 503, 599})
    void the_other_sides_trouble_is_postponed_with_a_time_and_transient_without(int status) {
        assertThat(of(status, "3"))
                .isInstanceOfSatisfying(
                        RetryLaterException.class, e -> assertThat(e.delay()).hasSeconds(3));
        assertThat(of(status, null))
                .isNotInstanceOfAny(RetryLaterException.class, ThrottledException.class, PermanentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 409, 422})
    void our_own_fault_is_permanent_even_with_a_time(int status) {
        assertThat(of(status, "3")).isInstanceOf(PermanentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"})
    void all_three_date_forms_are_read(String date) {
        assertThat(RetryAfter.parse(date, NOW)).contains(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @CsvSource({"864000", "99999999999999999999", "'Wed, 16 Nov 1994 08:49:37 GMT'"})
    void a_time_far_ahead_is_cut_to_a_day(String value) {
        assertThat(RetryAfter.parse(value, NOW)).contains(Duration.ofDays(1));
    }

    @Test
    void a_date_in_the_past_means_now() {
        assertThat(RetryAfter.parse("Sun, 06 Nov 1994 08:00:00 GMT", NOW)).contains(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "soon", "-3", "1.5", "Sun, 06 Nov", "٣"})
    void garbage_is_no_time(String value) {
        assertThat(RetryAfter.parse(value, NOW)).isEmpty();
    }

    private static RuntimeException of(int status, @Nullable String retryAfter) {
        return HttpFailures.of(status, retryAfter, NOW, "capture");
    }
}
