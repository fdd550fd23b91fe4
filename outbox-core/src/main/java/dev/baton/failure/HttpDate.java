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
import java.util.regex.Pattern;

/**
 * The three forms of a date that RFC 9110 (section 5.6.7) tells a recipient to accept. The day of the week says nothing that the
 * date does not, so a wrong one is no reason to come too early; second 60, a leap second, is the end of second 59.
 */
final class HttpDate {
    private static final DateTimeFormatter IMF_FIXDATE = form("d MMM yyyy HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ASCTIME = form("MMM ppd HH:mm:ss yyyy");

    private static final Pattern DAY = Pattern.compile("^[A-Z][a-z]{2,8},? ");
    private static final Pattern LEAP_SECOND = Pattern.compile("( \\d\\d:\\d\\d):60");

    private HttpDate() {}

    /**
     * The date, or empty if it has none of the forms.
     *
     * @param now about: the two-digit year of the RFC 850 form is the one that is not more than 50 years ahead of it
     */
    static Optional<Instant> parse(String value, Instant now) {
        String date = DAY.matcher(value.strip()).replaceFirst("");
        String whole = LEAP_SECOND.matcher(date).replaceFirst("$1:59");
        return List.of(IMF_FIXDATE, rfc850(now), ASCTIME).stream()
                .flatMap(form -> read(whole, form).stream())
                .map(time -> whole.equals(date) ? time : time.plusSeconds(1))
                .findFirst();
    }

    private static DateTimeFormatter form(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
    }

    private static DateTimeFormatter rfc850(Instant now) {
        LocalDate base = LocalDate.ofInstant(now, ZoneOffset.UTC).minusYears(49);
        return new DateTimeFormatterBuilder()
                .appendPattern("dd-MMM-")
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
