package dev.baton.failure;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Retry-After} header of RFC 9110, section 10.2.3: seconds, or a date.
 *
 * @param delay how long, at least a second; whole seconds, so never early
 * @param asked how long it was before it was cut, or null if it was not
 */
record RetryAfter(Duration delay, @Nullable Duration asked) {
    /** Longer waits are cut to this: a mistyped date must not park a queue for years. */
    static final Duration LONGEST = Duration.ofDays(1);

    /**
     * The unit of the header. Who answers "not now" with zero, or with a moment that has passed, would be asked again at once, and
     * again, until the job has used up its starts.
     */
    static final Duration SHORTEST = Duration.ofSeconds(1);

    /**
     * Empty if there is no header or it cannot be read.
     *
     * @param now what a date is measured against: the moment of the answer by the clock that wrote the date
     */
    static Optional<RetryAfter> parse(@Nullable String header, Instant now) {
        if (header == null || header.isBlank()) {
            return Optional.empty();
        }
        String value = header.strip();
        if (value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            // More digits than any sensible wait: a long would not hold them all.
            return Optional.of(bounded(Duration.ofSeconds(value.length() > 9 ? 999_999_999 : Long.parseLong(value))));
        }
        return HttpDate.parse(value, now).map(at -> bounded(roundedUp(Duration.between(now, at))));
    }

    private static Duration roundedUp(Duration wait) {
        return wait.getNano() == 0 ? wait : Duration.ofSeconds(wait.getSeconds() + 1);
    }

    private static RetryAfter bounded(Duration wait) {
        if (wait.compareTo(SHORTEST) < 0) {
            return new RetryAfter(SHORTEST, null);
        }
        return wait.compareTo(LONGEST) > 0 ? new RetryAfter(LONGEST, wait) : new RetryAfter(wait, null);
    }
}
