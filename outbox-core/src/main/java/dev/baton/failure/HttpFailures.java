package dev.baton.failure;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the answer of a foreign HTTP service means for a job.
 *
 * <table>
 * <caption>Status to error class</caption>
 * <tr><td>429</td><td>{@link ThrottledException} for {@code Retry-After}, or 10 s without it</td></tr>
 * <tr><td>408, 425, 5xx</td><td>{@link RetryLaterException} with {@code Retry-After}, else transient</td></tr>
 * <tr><td>other 4xx</td><td>{@link PermanentException}: the same request would be as wrong again</td></tr>
 * <tr><td>anything else</td><td>transient</td></tr>
 * </table>
 *
 * <p>{@code Retry-After} is read in seconds or in any of the three date forms of RFC 9110, and never ends early. It is a
 * second at least, also if it says zero or a moment that has passed, and is cut to a day; the exception then tells what was asked
 * for, in {@code cutFrom()} and in its message.
 */
public final class HttpFailures {
    private static final Duration WITHOUT_RETRY_AFTER = Duration.ofSeconds(10);

    private HttpFailures() {}

    /**
     * The exception to throw for an answer of the JDK's client.
     *
     * @param response that is not a success; its body is not looked at
     * @param context what was asked of whom, such as {@code gateway: capture}; without payload data
     */
    public static RuntimeException of(HttpResponse<?> response, String context) {
        return of(response.statusCode(), response.headers().map(), context);
    }

    /**
     * The exception to throw. A date in {@code Retry-After} is measured against the answer's own {@code Date}, so a wrong
     * clock there or here changes nothing; only an answer without a {@code Date} is measured against the clock of this
     * host.
     *
     * @param status of an answer that is not a success
     * @param headers of the answer, by names in any case
     * @param context what was asked of whom, such as {@code gateway: capture}; without payload data
     */
    public static RuntimeException of(int status, Map<String, List<String>> headers, String context) {
        Instant here = Instant.now();
        Instant now = header(headers, "Date")
                .flatMap(date -> HttpDate.parse(date, here))
                .orElse(here);
        return of(status, header(headers, "Retry-After").orElse(null), now, context);
    }

    /**
     * The exception to throw, if the two headers are at hand.
     *
     * @param status of an answer that is not a success
     * @param retryAfter the header as received, or null if there was none; what cannot be read counts as none
     * @param now to measure a date in {@code Retry-After} against: the answer's {@code Date} header if it has one
     * @param context what was asked of whom, such as {@code gateway: capture}; without payload data
     */
    public static RuntimeException of(int status, @Nullable String retryAfter, Instant now, String context) {
        Optional<RetryAfter> wait = RetryAfter.parse(retryAfter, now);
        String message = context + ": HTTP " + status + cut(wait);
        if (status == 429) {
            return wait.map(it -> new ThrottledException(it.delay(), it.asked(), message))
                    .orElseGet(() -> new ThrottledException(WITHOUT_RETRY_AFTER, message));
        }
        if (status == 408 || status == 425 || status >= 500) {
            return wait.<RuntimeException>map(it -> new RetryLaterException(it.delay(), it.asked(), message))
                    .orElseGet(() -> new TransientHttpException(message));
        }
        return status >= 400 ? new PermanentException(message) : new TransientHttpException(message);
    }

    private static String cut(Optional<RetryAfter> wait) {
        return wait.map(RetryAfter::asked)
                .map(asked -> ", asked to wait " + asked + ", cut to " + RetryAfter.LONGEST)
                .orElse("");
    }

    private static Optional<String> header(Map<String, List<String>> headers, String name) {
        return headers.entrySet().stream()
                .filter(header -> name.equalsIgnoreCase(header.getKey()))
                .flatMap(header -> header.getValue().stream())
                .findFirst();
    }

    /** Transient: nothing in the rules knows this type. */
    private static final class TransientHttpException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TransientHttpException(String message) {
            super(message);
        }
    }
}
