package dev.baton.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpFailuresTest {
    private static final Instant NOW = Instant.parse("1994-11-06T08:49:07Z");
    private static final List<DateTimeFormatter> FORMS = List.of(
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH),
            DateTimeFormatter.ofPattern("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", Locale.ENGLISH),
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH));

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
        assertThat(RetryAfter.parse(date, NOW)).contains(new RetryAfter(Duration.ofSeconds(30), null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a wrong day of the week | Mon, 06 Nov 1994 08:49:37 GMT | 30",
                "a leap second | Sun, 06 Nov 1994 08:49:60 GMT | 53",
                "fifty years ahead at most | Sunday, 06-Nov-44 08:49:37 GMT | 86400",
                "and else in the past | Sunday, 06-Nov-45 08:49:37 GMT | 1"
            })
    void what_is_odd_about_a_date_is_no_reason_to_come_too_early(String odd, String date, long seconds) {
        assertThat(RetryAfter.parse(date, NOW)).as(odd).map(RetryAfter::delay).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource({"864000", "99999999999999999999", "'Wed, 16 Nov 1994 08:49:37 GMT'"})
    void a_time_far_ahead_is_cut_to_a_day(String value) {
        assertThat(RetryAfter.parse(value, NOW)).map(RetryAfter::delay).contains(Duration.ofDays(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "00", "Sun, 06 Nov 1994 08:49:07 GMT", "Sun, 06 Nov 1994 08:00:00 GMT"})
    void zero_and_a_date_that_has_passed_mean_a_second(String value) {
        assertThat(RetryAfter.parse(value, NOW)).contains(new RetryAfter(Duration.ofSeconds(1), null));
        assertThat(of(429, value))
                .isInstanceOfSatisfying(
                        ThrottledException.class,
                        e -> assertThat(e.retryAfter()).hasSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "soon", "-3", "1.5", "Sun, 06 Nov", "٣"})
    void garbage_is_no_time(String value) {
        assertThat(RetryAfter.parse(value, NOW)).isEmpty();
    }

    @Test
    void a_cut_is_told_by_the_exception() {
        assertThat(of(429, "864000"))
                .isInstanceOfSatisfying(ThrottledException.class, e -> {
                    assertThat(e.retryAfter()).hasDays(1);
                    assertThat(e.cutFrom()).contains(Duration.ofDays(10));
                })
                .hasMessage("capture: HTTP 429, asked to wait PT240H, cut to PT24H");
        assertThat(of(503, "864000"))
                .isInstanceOfSatisfying(
                        RetryLaterException.class, e -> assertThat(e.cutFrom()).contains(Duration.ofDays(10)));
        assertThat(of(503, "3"))
                .isInstanceOfSatisfying(
                        RetryLaterException.class, e -> assertThat(e.cutFrom()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(longs = {-86_400, -3_600, 0, 3_600, 86_400})
    void a_date_is_measured_by_the_clock_that_wrote_it_however_wrong_that_is(long skewSeconds) {
        Instant there = Instant.parse("2026-03-01T12:00:00Z").plusSeconds(skewSeconds);
        DateTimeFormatter form = DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);
        Map<String, List<String>> headers =
                Map.of("date", List.of(form.format(there)), "RETRY-AFTER", List.of(form.format(there.plusSeconds(42))));
        assertThat(HttpFailures.of(503, headers, "capture"))
                .isInstanceOfSatisfying(
                        RetryLaterException.class, e -> assertThat(e.delay()).hasSeconds(42));
    }

    @Test
    void an_answer_without_a_date_or_with_one_that_cannot_be_read_is_measured_by_this_hosts_clock() {
        String soon = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.now().plusSeconds(600).atOffset(ZoneOffset.UTC));
        for (Map<String, List<String>> headers : List.of(
                Map.of("Retry-After", List.of(soon)),
                Map.of("Retry-After", List.of(soon), "Date", List.of("yesterday")))) {
            assertThat(HttpFailures.of(429, headers, "capture"))
                    .isInstanceOfSatisfying(
                            ThrottledException.class,
                            e -> assertThat(e.retryAfter())
                                    .isBetween(Duration.ofSeconds(570), Duration.ofSeconds(601)));
        }
    }

    @Test
    void a_wait_is_never_early_whatever_form_it_has() {
        Random random = new Random(5);
        for (int round = 0; round < 2_000; round++) {
            Instant now = Instant.ofEpochMilli(1_700_000_000_000L + random.nextInt());
            Instant until = now.plusMillis(random.nextInt(80_000_000)).truncatedTo(ChronoUnit.SECONDS);
            for (DateTimeFormatter form : FORMS) {
                String value = form.withZone(ZoneOffset.UTC).format(until);
                RetryAfter wait = RetryAfter.parse(value, now).orElseThrow();
                assertThat(now.plus(wait.delay())).as(value).isAfterOrEqualTo(until);
                assertThat(wait.delay())
                        .isLessThanOrEqualTo(
                                Duration.between(now, until).plusSeconds(1).abs());
            }
        }
    }

    @Test
    void no_text_whatever_makes_it_fail() {
        Random random = new Random(6);
        String letters = "0123456789 ,:-GMTSunNovJan\u0000\u0663";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(30); i > 0; i--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            RetryAfter.parse(text.toString(), NOW)
                    .ifPresent(it -> assertThat(it.delay()).isBetween(Duration.ofSeconds(1), RetryAfter.LONGEST));
        }
    }

    @Test
    void the_jdks_answer_is_read() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "7");
            exchange.sendResponseHeaders(429, -1);
            exchange.close();
        });
        server.start();
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            HttpResponse<Void> answer =
                    HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
            assertThat(HttpFailures.of(answer, "capture"))
                    .isInstanceOfSatisfying(
                            ThrottledException.class,
                            e -> assertThat(e.retryAfter()).hasSeconds(7));
        } finally {
            server.stop(0);
        }
    }

    private static RuntimeException of(int status, @Nullable String retryAfter) {
        return HttpFailures.of(status, retryAfter, NOW, "capture");
    }
}
