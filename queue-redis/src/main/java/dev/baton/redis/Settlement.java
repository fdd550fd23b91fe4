package dev.baton.redis;

import dev.baton.failure.Outcome;
import java.time.Duration;
import java.util.List;

/**
 * How one lease ends, or that it goes on; the verbs are those of {@code exchange.lua}.
 *
 * @param number delay in ms, or for a burial whether the start counts
 * @param failure one line of JSON, or empty
 */
record Settlement(Lease lease, String verb, long number, String failure) {
    static Settlement complete(Lease lease) {
        return new Settlement(lease, "complete", 0, "");
    }

    static Settlement renew(Lease lease) {
        return new Settlement(lease, "renew", 0, "");
    }

    /** Hands the job back unharmed: it uses up neither a start nor an attempt. */
    static Settlement release(Lease lease, Duration delay) {
        return new Settlement(lease, "release", delay.toMillis(), "");
    }

    /** Hands the job back whose handler goes on although it was interrupted: that was a start, but no attempt. */
    static Settlement abandoned(Lease lease) {
        return new Settlement(lease, "abandon", 0, "");
    }

    /** Hands the job back, as {@link #release}; counted as one that nobody here knows. */
    static Settlement unknown(Lease lease, Duration delay) {
        return new Settlement(lease, "unknown", delay.toMillis(), "");
    }

    /** A death before the start: nothing is counted. */
    static Settlement buryUnstarted(Lease lease, LastFailure why) {
        return new Settlement(lease, "bury", 0, why.toJson());
    }

    static Settlement failed(Lease lease, Outcome outcome, Throwable failure) {
        if (outcome instanceof Outcome.Retry retry) {
            return new Settlement(
                    lease,
                    "retry",
                    retry.delay().toMillis(),
                    LastFailure.of(failure).toJson());
        } else if (outcome instanceof Outcome.Postpone postpone) {
            return new Settlement(lease, "postpone", postpone.delay().toMillis(), "");
        } else if (outcome instanceof Outcome.Throttle throttle) {
            return new Settlement(lease, "throttle", throttle.delay().toMillis(), "");
        } else if (outcome instanceof Outcome.Bury bury) {
            return new Settlement(
                    lease, "bury", 1, LastFailure.fatal(bury.reason(), failure).toJson());
        }
        throw new IllegalArgumentException("unknown outcome " + outcome);
    }

    boolean isBurial() {
        return verb.equals("bury");
    }

    /** Whether the job is handed back. */
    boolean isRelease() {
        return verb.equals("release") || verb.equals("abandon");
    }

    boolean isThrottle() {
        return verb.equals("throttle");
    }

    boolean isRenewal() {
        return verb.equals("renew");
    }

    /** Nobody waits for the end of this job, so its id and token are all there is to say. */
    boolean isPlainCompletion() {
        return verb.equals("complete")
                && lease.orderingKey().isEmpty()
                && lease.uniqueId().isEmpty();
    }

    List<String> words() {
        return List.of(
                verb, lease.id(), lease.token(), Long.toString(number), failure, lease.orderingKey(), lease.uniqueId());
    }
}
