package dev.baton.failure;

import java.time.Duration;
import java.time.Instant;
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
 */
public final class HttpFailures {
    private static final Duration WITHOUT_RETRY_AFTER = Duration.ofSeconds(10);

    private HttpFailures() {}

    /**
     * The exception to throw.
     *
     * @param status of an answer that is not a success
     * @param retryAfter the header as received, or null if there was none
     * @param now to measure a date in {@code Retry-After} against: the answer's {@code Date} header if it has one
     * @param context what was asked of whom, such as {@code capture}; without payload data
     */
    public static RuntimeException of(int status, @Nullable String retryAfter, Instant now, String context) {
        String message = context + ": HTTP " + status;
        Optional<Duration> wait = RetryAfter.parse(retryAfter, now);
        if (status == 429) {
            return new ThrottledException(wait.orElse(WITHOUT_RETRY_AFTER), message);
        }
        if (status == 408 || status == 425 || status >= 500) {
            return wait.<RuntimeException>map(delay -> new RetryLaterException(delay, message))
                    .orElseGet(() -> new TransientHttpException(message));
        }
        return status >= 400 ? new PermanentException(message) : new TransientHttpException(message);
    }

    /** Transient: nothing in the rules knows this type. */
    private static final class TransientHttpException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TransientHttpException(String message) {
            super(message);
        }
    }
}
