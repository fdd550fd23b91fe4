package dev.baton.failure;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Retry-After} header: seconds, or a date in one of the three forms that RFC 9110 (section 5.6.7) tells a
 * recipient to accept.
 */
final class RetryAfter {
    /** Longer waits are cut to this: a mistyped date must not park a queue for years. */
    static final Duration LONGEST = Duration.ofDays(1);

    private RetryAfter() {}

    /** Empty if there is no header or it cannot be read; never negative. */
    static Optional<Duration> parse(@Nullable String header, Instant now) {
        if (header == null || header.isBlank()) {
            return Optional.empty();
        }
        String value = header.strip();
        if (value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            // More digits than any sensible wait: a long would not hold them all.
            return Optional.of(value.length() > 9 ? LONGEST : bounded(Duration.ofSeconds(Long.parseLong(value))));
        }
        return forms(now).stream()
                .flatMap(form -> read(value, form).stream())
                .findFirst()
                .map(at -> bounded(Duration.between(now, at)));
    }

    private static List<DateTimeFormatter> forms(Instant now) {
        // The two-digit year of the RFC 850 form is the one that is not more than 50 years ahead.
        LocalDate fiftyYearsBack = LocalDate.ofInstant(now, ZoneOffset.UTC).minusYears(49);
        DateTimeFormatter rfc850 = new DateTimeFormatterBuilder()
                .appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, fiftyYearsBack)
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.ENGLISH);
        return List.of(
                DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH),
                rfc850,
                DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH));
    }

    private static Optional<Instant> read(String value, DateTimeFormatter form) {
        try {
            return Optional.of(form.withZone(ZoneOffset.UTC).parse(value, Instant::from));
        } catch (DateTimeException notThisForm) {
            return Optional.empty();
        }
    }

    private static Duration bounded(Duration wait) {
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
