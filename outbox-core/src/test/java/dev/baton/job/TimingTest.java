package dev.baton.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimingTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Test
    void a_local_time_that_is_skipped_occurs_at_the_shift() {
        assertThat(cron("30 2 * * *", BERLIN, "2026-03-27T12:00:00Z", 4))
                .containsExactly(
                        "2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z");
        assertThat(cron("30 2 * * *", ZoneId.of("America/New_York"), "2026-03-07T12:00:00Z", 2))
                .containsExactly("2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z");
        assertThat(cron("15 2 * * *", ZoneId.of("Australia/Lord_Howe"), "2026-10-03T00:00:00Z", 2))
                .as("half an hour is skipped")
                .containsExactly("2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z");
        assertThat(cron("0 0 * * *", ZoneId.of("Africa/Cairo"), "2026-04-23T12:00:00Z", 2))
                .as("midnight is skipped")
                .containsExactly("2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z");
        assertThat(cron("0 12 * * *", ZoneId.of("Pacific/Apia"), "2011-12-29T00:00:00Z", 3))
                .as("a whole day is skipped")
                .containsExactly("2011-12-29T22:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z");
    }

    @Test
    void a_local_time_that_is_repeated_occurs_once_the_first_time() {
        assertThat(cron("30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 2))
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
        assertThat(cron("30 1 * * *", ZoneId.of("America/New_York"), "2026-10-31T12:00:00Z", 2))
                .containsExactly("2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z");
        assertThat(cron("45 1 * * *", ZoneId.of("Australia/Lord_Howe"), "2026-04-04T00:00:00Z", 2))
                .as("half an hour is repeated")
                .containsExactly("2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z");
        assertThat(cron("*/30 * * * *", BERLIN, "2026-10-24T23:59:00Z", 4))
                .as("a rhythm pauses while local time repeats")
                .containsExactly(
                        "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T02:00:00Z", "2026-10-25T02:30:00Z");
    }

    @Test
    void several_local_times_that_are_skipped_are_one_occurrence() {
        assertThat(cron("*/15 2,3 * * *", BERLIN, "2026-03-28T12:00:00Z", 3))
                .containsExactly("2026-03-29T01:00:00Z", "2026-03-29T01:15:00Z", "2026-03-29T01:30:00Z");
    }

    @Test
    void a_fixed_offset_has_no_shift() {
        assertThat(cron("30 2 * * *", ZoneId.of("+05:45"), "2026-03-28T12:00:00Z", 2))
                .containsExactly("2026-03-28T20:45:00Z", "2026-03-29T20:45:00Z");
        assertThat(cron("30 2 * * *", ZoneOffset.UTC, "2026-03-28T12:00:00Z", 2))
                .containsExactly("2026-03-29T02:30:00Z", "2026-03-30T02:30:00Z");
    }

    @Test
    void cron_agrees_with_somebody_who_looks_at_the_wall_clock_every_minute() {
        List<String> zones = List.of(
                "Europe/Berlin",
                "America/New_York",
                "Australia/Lord_Howe",
                "Africa/Cairo",
                "Asia/Kathmandu",
                "UTC-03:30");
        List<String> starts = List.of(
                "2026-03-06T00:00:00Z",
                "2026-03-27T00:00:00Z",
                "2026-04-03T00:00:00Z",
                "2026-04-22T00:00:00Z",
                "2026-10-01T00:00:00Z",
                "2026-10-23T00:00:00Z",
                "2028-02-26T00:00:00Z");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int occurrences = 0;
        for (int i = 0; i < 600; i++) {
            SlowCron slow = SlowCron.random(random);
            ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
            Instant from = Instant.parse(starts.get(random.nextInt(starts.size())));
            List<Instant> expected = slow.occurrences(from, Duration.ofDays(8), zone);
            assertThat(between(Timing.cron(slow.text(), zone), from, Duration.ofDays(8)))
                    .as("%s in %s from %s, seed %s", slow.text(), zone, from, seed)
                    .isEqualTo(expected);
            occurrences += expected.size();
        }
        assertThat(occurrences).isGreaterThan(1_000);
    }

    @Test
    void the_next_occurrence_does_not_depend_on_when_it_is_asked_for() {
        Timing timing = Timing.cron("30 2 * * *", BERLIN);
        for (String edge : List.of("2026-03-29T01:00:00Z", "2026-10-25T00:30:00Z")) {
            Instant occurrence = Instant.parse(edge);
            for (int minutes = 1; minutes < 180; minutes++) {
                Instant before = occurrence.minus(Duration.ofMinutes(minutes)).plusMillis(minutes);
                assertThat(timing.next(before, Instant.EPOCH)).isEqualTo(occurrence);
                Instant after = occurrence.plus(Duration.ofMinutes(minutes));
                assertThat(timing.next(after, Instant.EPOCH)).isAfter(occurrence.plus(Duration.ofHours(20)));
            }
            assertThat(timing.next(occurrence, Instant.EPOCH)).isAfter(occurrence);
        }
    }

    @Test
    void six_fields_begin_with_the_second() {
        assertThat(cron("*/20 59 23 31 DEC *", BERLIN, "2026-01-01T00:00:00.500Z", 3))
                .containsExactly("2026-12-31T22:59:00Z", "2026-12-31T22:59:20Z", "2026-12-31T22:59:40Z");
    }

    @Test
    void an_interval_counts_from_its_anchor_however_late_it_is_asked() {
        Timing timing = Timing.every(Duration.ofSeconds(90));
        Instant anchor = Instant.parse("2026-01-01T00:00:00.123Z");
        assertThat(timing.next(anchor, anchor)).isEqualTo("2026-01-01T00:01:30.123Z");
        assertThat(timing.next(anchor.plusSeconds(89), anchor)).isEqualTo("2026-01-01T00:01:30.123Z");
        assertThat(timing.next(anchor.plusSeconds(90), anchor)).isEqualTo("2026-01-01T00:03:00.123Z");
        assertThat(timing.next(anchor.plusSeconds(900_001), anchor)).isEqualTo(anchor.plusSeconds(900_090));
        assertThat(timing.next(anchor.minusSeconds(1), anchor)).isEqualTo(anchor);
    }

    @Test
    void a_timing_is_made_again_from_its_text() {
        for (Timing timing : List.of(
                Timing.cron(" 30  2 * * mon-fri ", BERLIN),
                Timing.cron("0 30 2 1,15 */2 *", ZoneId.of("+05:45")),
                Timing.every(Duration.ofMillis(1_500)))) {
            assertThat(Timing.parse(timing.toText())).isEqualTo(timing).hasSameHashCodeAs(timing);
        }
        assertThat(Timing.cron("30  2 * * *", BERLIN).toText()).isEqualTo("cron Europe/Berlin 30 2 * * *");
    }

    @Test
    void a_text_that_this_version_does_not_know_is_refused() {
        assertThatThrownBy(() -> Timing.parse("cron Mars/Olympus 0 3 * * *"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the time zone of 'cron Mars/Olympus 0 3 * * *' is unknown to this JVM");
        for (String text : List.of("", "moon full", "every", "cron UTC", "every x")) {
            assertThatThrownBy(() -> Timing.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void a_bad_timing_is_refused_with_its_value_and_its_bound() {
        assertThatThrownBy(() -> Timing.cron("0 3 * *", BERLIN))
                .hasMessageContaining("cron is '0 3 * *'; it must have");
        assertThatThrownBy(() -> Timing.cron("61 3 * * *", BERLIN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cron is '61 3 * * *'")
                .hasMessageContaining("61 not in range [0, 59]");
        assertThatThrownBy(() -> Timing.cron("0 0 30 2 *", BERLIN)).hasMessage("cron is '0 0 30 2 *'; it never occurs");
        for (String text :
                List.of("", "0|30 3 * * *", "@daily", "0 0 L * *", "*/0 * * * *", "0 24 * * *", "0 0 0 * *")) {
            assertThatThrownBy(() -> Timing.cron(text, BERLIN))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("cron is '");
        }
        assertThatThrownBy(() -> Timing.every(Duration.ofMillis(999)))
                .hasMessage("interval is PT0.999S; it must be between PT1S and PT87600H");
        assertThatThrownBy(() -> Timing.every(Duration.ofDays(3_651))).hasMessageContaining("between PT1S");
        assertThatThrownBy(() -> Timing.every(Duration.ofNanos(1_000_000_001))).hasMessageContaining("whole milli");
    }

    private static List<String> cron(String expression, ZoneId zone, String from, int count) {
        List<String> all = new ArrayList<>();
        Instant last = Instant.parse(from);
        for (int i = 0; i < count; i++) {
            last = Timing.cron(expression, zone).next(last, Instant.EPOCH);
            all.add(last.toString());
        }
        return all;
    }

    private static List<Instant> between(Timing timing, Instant from, Duration length) {
        List<Instant> all = new ArrayList<>();
        for (Instant next = timing.next(from, from); next.isBefore(from.plus(length)); next = timing.next(next, from)) {
            all.add(next);
        }
        return all;
    }
}
