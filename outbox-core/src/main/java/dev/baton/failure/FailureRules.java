package dev.baton.failure;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Turns a failure into an {@link Outcome}: rules say what it means, the {@link RetryPolicy} says what is left of the
 * budget.
 *
 * <p>The rules are asked in order, each about the whole chain of causes, outermost first; the first that knows a member of
 * it decides. So what a handler said with an error class keeps its meaning in any wrapper.
 *
 * <table>
 * <caption>The rules of {@link #DEFAULT}, in order</caption>
 * <tr><th>rule</th><th>meaning</th></tr>
 * <tr><td>{@link PermanentException}, {@link RetryLaterException}, {@link ThrottledException}</td>
 *     <td>what they say; nothing goes before them</td></tr>
 * <tr><td>(rules of your own: {@link #with})</td><td>what they say</td></tr>
 * <tr><td>SQLSTATE 22 (data), 23502 (not null), 23514 (check)</td><td>permanent: the same data is as wrong again</td></tr>
 * <tr><td>any other SQLSTATE</td><td>transient: a conflict, a lost connection, a missing parent row or column may be
 *     gone next time</td></tr>
 * <tr><td>{@link IOException}</td><td>transient</td></tr>
 * <tr><td>anything else, an {@link Error} too</td><td>transient: out of memory or a class missing from a half-done deploy
 *     says nothing about the job</td></tr>
 * </table>
 *
 * <table>
 * <caption>What never comes here</caption>
 * <tr><td>{@link InterruptedException}, or anything else, while the worker stops</td>
 *     <td>the job goes back unharmed; otherwise an interrupt is transient</td></tr>
 * <tr><td>a payload that cannot be decoded ({@code job.payload(..)})</td><td>a {@link PermanentException}</td></tr>
 * <tr><td>a job record that cannot be read</td><td>dies with {@link DeathReason#PERMANENT}, its text kept</td></tr>
 * <tr><td>a job name without a handler</td><td>the job goes back unharmed and waits for a worker that has one</td></tr>
 * </table>
 *
 * <p><b>Threads.</b> Pure functions of immutable rules; thread-safe.
 */
public final class FailureRules {
    /** The table above. */
    public static final FailureRules DEFAULT = new FailureRules(List.of(
            FailureRule.onSqlState("22", Meaning.PERMANENT),
            FailureRule.onSqlState("23502", Meaning.PERMANENT),
            FailureRule.onSqlState("23514", Meaning.PERMANENT),
            FailureRule.onType(SQLException.class, Meaning.TRANSIENT),
            FailureRule.onType(IOException.class, Meaning.TRANSIENT)));

    /** Longer waits are cut to this: no store counts in milliseconds as far as a Duration reaches. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private final List<FailureRule> rules;

    private FailureRules(List<FailureRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** These rules in order, then those of this object; the three error classes stay in front of all. */
    public FailureRules with(FailureRule... own) {
        return with(List.of(own));
    }

    /** As {@link #with(FailureRule...)}, for a set of rules such as a driver offers. */
    public FailureRules with(List<FailureRule> own) {
        List<FailureRule> all = new ArrayList<>(own);
        all.addAll(rules);
        return new FailureRules(all);
    }

    /** What the failure means, whatever the budget says. */
    public Meaning meaningOf(Throwable failure) {
        List<Throwable> chain = Causes.of(failure);
        Meaning said = first(FailureRules::errorClass, chain);
        for (int i = 0; said == null && i < rules.size(); i++) {
            said = first(rules.get(i), chain);
        }
        return said == null ? Meaning.TRANSIENT : said;
    }

    /**
     * What becomes of the job.
     *
     * @param start number of the start that failed, the first being 1
     * @param attempt number of the attempt that failed, the first being 1
     */
    public Outcome decide(RetryPolicy policy, int start, int attempt, Throwable failure, RandomGenerator random) {
        Meaning meaning = meaningOf(failure);
        if (meaning instanceof Meaning.Permanent) {
            return new Outcome.Bury(DeathReason.PERMANENT);
        }
        if (start >= policy.maxStarts()) {
            return new Outcome.Bury(DeathReason.STARTS);
        }
        if (meaning instanceof Meaning.Later later) {
            return new Outcome.Postpone(bounded(later.delay()));
        }
        if (meaning instanceof Meaning.Throttled throttled) {
            return new Outcome.Throttle(bounded(throttled.retryAfter()));
        }
        if (attempt >= policy.attempts()) {
            return new Outcome.Bury(DeathReason.ATTEMPTS);
        }
        return new Outcome.Retry(bounded(delay(policy, attempt, random)));
    }

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

    private static @Nullable Meaning first(FailureRule rule, List<Throwable> chain) {
        for (Throwable member : chain) {
            Meaning meaning = ask(rule, member);
            if (meaning != null) {
                return meaning;
            }
        }
        return null;
    }

    private static @Nullable Meaning ask(FailureRule rule, Throwable member) {
        try {
            return rule.meaningOf(member);
        } catch (RuntimeException | StackOverflowError faulty) {
            // A rule that fails must not decide over a job, nor keep it from being settled.
            return null;
        }
    }

    private static @Nullable Meaning errorClass(Throwable failure) {
        if (failure instanceof PermanentException) {
            return Meaning.PERMANENT;
        } else if (failure instanceof RetryLaterException later) {
            return new Meaning.Later(later.delay());
        } else if (failure instanceof ThrottledException throttled) {
            return new Meaning.Throttled(throttled.retryAfter());
        }
        return null;
    }

    /** A backoff of one's own that fails must not keep the job from being settled either. */
    private static Duration delay(RetryPolicy policy, int attempt, RandomGenerator random) {
        try {
            return policy.backoff().delay(attempt, random);
        } catch (RuntimeException faulty) {
            return RetryPolicy.DEFAULT.backoff().delay(attempt, random);
        }
    }

    private static Duration bounded(Duration delay) {
        if (delay.isNegative()) {
            return Duration.ZERO;
        }
        return delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
    }
}
