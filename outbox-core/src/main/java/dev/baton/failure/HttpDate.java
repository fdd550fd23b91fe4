package dev.baton.failure;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The three forms of a date that RFC 9110 (section 5.6.7) tells a recipient to accept. */
final class HttpDate {
    private static final DateTimeFormatter IMF_FIXDATE = form("EEE, d MMM yyyy HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ASCTIME = form("EEE MMM ppd HH:mm:ss yyyy");

    private HttpDate() {}

    /**
     * The date, or empty if it has none of the forms.
     *
     * @param now about: the two-digit year of the RFC 850 form is the one that is not more than 50 years ahead of it
     */
    static Optional<Instant> parse(String value, Instant now) {
        return List.of(IMF_FIXDATE, rfc850(now), ASCTIME).stream()
                .flatMap(form -> read(value.strip(), form).stream())
                .findFirst();
    }

    private static DateTimeFormatter form(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
    }

    private static DateTimeFormatter rfc850(Instant now) {
        LocalDate base = LocalDate.ofInstant(now, ZoneOffset.UTC).minusYears(49);
        return new DateTimeFormatterBuilder()
                .appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, base)
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.ENGLISH)
                .withZone(ZoneOffset.UTC);
    }

    private static Optional<Instant> read(String value, DateTimeFormatter form) {
        try {
            return Optional.of(form.parse(value, Instant::from));
        } catch (DateTimeException notThisForm) {
            return Optional.empty();
        }
    }
}
