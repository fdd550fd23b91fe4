package dev.baton.failure;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Turns a failure into an {@link Outcome}. Pure functions; thread-safe. */
public final class FailureRules {
    private static final int LONGEST_CHAIN = 100;

    private FailureRules() {}

    /**
     * Whether the budget is spent before the job even starts, which happens after crashes: they are counted by the
     * queue, where no handler could decide.
     *
     * @param start number of this start, the first being 1
     * @param attempt number of this attempt, the first being 1
     */
    public static Optional<DeathReason> spent(RetryPolicy policy, int start, int attempt) {
        if (start > policy.maxStarts()) {
            return Optional.of(DeathReason.STARTS);
        }
        return attempt > policy.attempts() ? Optional.of(DeathReason.ATTEMPTS) : Optional.empty();
    }

    /**
     * What becomes of the job. The whole chain of causes is searched, so an error class keeps its meaning when a
     * framework wrapped it; the outermost one counts. Chains that loop end.
     *
     * @param start number of the start that failed, the first being 1
     * @param attempt number of the attempt that failed, the first being 1
     */
    public static Outcome decide(
            RetryPolicy policy, int start, int attempt, Throwable failure, RandomGenerator random) {
        Throwable classified = firstClassified(failure);
        if (classified instanceof PermanentException) {
            return new Outcome.Bury(DeathReason.PERMANENT);
        }
        if (start >= policy.maxStarts()) {
            return new Outcome.Bury(DeathReason.STARTS);
        }
        if (classified instanceof RetryLaterException later) {
            return new Outcome.Postpone(notNegative(later.delay()));
        }
        if (classified instanceof ThrottledException throttled) {
            return new Outcome.Throttle(notNegative(throttled.retryAfter()));
        }
        if (attempt >= policy.attempts()) {
            return new Outcome.Bury(DeathReason.ATTEMPTS);
        }
        return new Outcome.Retry(policy.backoff().delay(attempt, random));
    }

    private static @Nullable Throwable firstClassified(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable t = failure; t != null && seen.size() < LONGEST_CHAIN && seen.add(t); t = t.getCause()) {
            if (t instanceof PermanentException
                    || t instanceof RetryLaterException
                    || t instanceof ThrottledException) {
                return t;
            }
        }
        return null;
    }

    private static Duration notNegative(Duration delay) {
        return delay.isNegative() ? Duration.ZERO : delay;
    }
}
