package dev.baton.idempotency;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/**
 * Answers a request that carries an idempotency key, with effects outside the database: nobody else works on the key while
 * the claim's lease runs, and a repeat gets the stored answer.
 *
 * <p>The claim is committed before the effect begins, so it holds no transaction open meanwhile, and others see at once
 * whether they ask for the same.
 *
 * <p><b>Threads.</b> Thread-safe.
 *
 * <p><b>Delivery.</b> At least once: a crash in the middle frees the key when the lease ends, for a repeat of the very same
 * request, and the effect runs again. So the foreign system must get a key of ours, or be asked before. A run that was
 * overtaken because its lease had ended changes nothing any more ({@link ClaimLostException}).
 */
public final class LeasedGuard {
    private static final int MOST_ERROR = 8 * 1024;

    private final Jdbi jdbi;
    private final String consumer;
    private final Duration lease;
    private final Predicate<? super Exception> isFinal;
    private final RequestKeys keys;

    private LeasedGuard(Jdbi jdbi, String consumer, Duration lease, Predicate<? super Exception> isFinal) {
        this.jdbi = jdbi;
        this.consumer = Bounds.name("consumer", consumer);
        this.lease = Bounds.between("the lease", lease, Duration.ofMillis(100), Duration.ofDays(1));
        this.isFinal = isFinal;
        this.keys = new RequestKeys(consumer, UUID.randomUUID().toString());
    }

    /**
     * The guard of one consumer.
     *
     * @param jdbi for the database with the guard's tables; each step takes a connection for one short transaction
     * @param consumer who answers the requests; keys of others do not meet its own
     * @param lease how long a run has the key unless it renews it; longer than the timeouts of its calls together
     * @throws IllegalArgumentException if the consumer is blank, longer than 500 characters or has a null character, or
     *     the lease is not between 100 ms and a day
     */
    public static LeasedGuard forConsumer(Jdbi jdbi, String consumer, Duration lease) {
        return new LeasedGuard(jdbi, consumer, lease, failure -> false);
    }

    /**
     * The same guard that remembers such failures: a repeat of the request is told {@link Verdict.FailedBefore} instead of
     * being run. Without this every failure frees the key.
     *
     * @param failures those that trying again cannot help; message and class are stored, cut to 8 KB
     */
    public LeasedGuard remembering(Predicate<? super Exception> failures) {
        return new LeasedGuard(jdbi, consumer, lease, failures);
    }

    /**
     * Runs the effect unless a request with this key was answered before or is being answered.
     *
     * @param key the request's idempotency key
     * @param fingerprint what the request asks for
     * @param effect its result is stored, as text; what it throws goes to the caller
     * @throws ClaimLostException if the effect ran, but for longer than its lease, and another run has the key
     * @throws IllegalArgumentException if the key is blank, longer than 500 characters or has a null character; also if the
     *     effect's result is null or has a null character or half a surrogate pair, which cannot be stored: the effect has been
     *     applied then, and a repeat is told {@link Verdict.FailedBefore} rather than run
     */
    public <X extends Exception> Verdict execute(String key, Fingerprint fingerprint, LeasedEffect<X> effect) throws X {
        Bounds.name("key", key);
        Optional<Long> fence;
        try {
            fence = inTransaction(connection -> claim(connection, key, fingerprint));
        } catch (UnableToExecuteStatementException e) {
            if (LockTimeout.isCauseOf(e.getCause())) {
                return new Verdict.InProgress(null);
            }
            throw e;
        }
        if (fence.isEmpty()) {
            // Free by now if its row was purged or its lease ended in this moment: the next call will have it.
            return inTransaction(connection -> keys.look(connection, key, fingerprint))
                    .orElse(new Verdict.InProgress(null));
        }
        Claim claim = new Claim(key, fence.get());
        String result = run(claim, effect);
        String why = Bounds.unstorable(result);
        if (why != null) {
            // It has happened: a repeat must be told so, rather than do it again.
            String error = "the effect was applied, but its answer cannot be stored: " + why;
            claim.finish(RequestKeys.State.FAILED, error);
            throw new IllegalArgumentException(
                    error + "; a repeat of the request with this key is told that it failed before");
        }
        claim.finish(RequestKeys.State.DONE, result);
        return new Verdict.Executed(result);
    }

    /** A {@link RequestGuard} of the same consumer may hold the key in a transaction that is still open. */
    private Optional<Long> claim(Connection connection, String key, Fingerprint fingerprint) throws SQLException {
        LockTimeout.swap(connection, "2s");
        return keys.claim(connection, key, fingerprint, lease);
    }

    private <X extends Exception> String run(Claim claim, LeasedEffect<X> effect) throws X {
        boolean settled = false;
        try {
            String result = effect.apply(claim);
            settled = true;
            return result;
        } catch (Exception failure) {
            settled = true;
            claim.settle(failure);
            throw failure;
        } finally {
            if (!settled) {
                // An Error: it says nothing about the request.
                claim.release();
            }
        }
    }

    private <T> T inTransaction(Transactions.Work<T> work) {
        // A handle of its own: in a transaction that this thread has open the claim would not be seen by others.
        try (Handle handle = jdbi.open()) {
            return handle.inTransaction(transaction -> Transactions.run(transaction, work));
        }
    }

    /** What is done under a claim. */
    @FunctionalInterface
    public interface LeasedEffect<X extends Exception> {
        /** Does it, and returns the answer; never null. */
        String apply(Claim claim) throws X;
    }

    /** The right to work on a key until its lease ends. Thread-safe. */
    public final class Claim {
        private final String key;
        private final long fence;

        private Claim(String key, long fence) {
            this.key = key;
            this.fence = fence;
        }

        /** The request's key. */
        public String key() {
            return key;
        }

        /** Rises with every claim of any key: a foreign system that remembers the highest one can refuse the late. */
        public long fence() {
            return fence;
        }

        /**
         * Lets the lease run anew from now.
         *
         * @return false if another run has the key: stop, for nothing of this one counts any more
         */
        public boolean renew() {
            return inTransaction(connection -> keys.extend(connection, key, fence, lease));
        }

        private void finish(RequestKeys.State state, String result) {
            if (!inTransaction(connection -> keys.finish(connection, key, fence, state, result))) {
                throw new ClaimLostException(consumer + " lost the claim on key " + key
                        + ": its effect took longer than the lease of " + lease + " and may happen twice");
            }
        }

        /** The failure goes to the caller in any case, so what goes wrong here is only noted. */
        private void settle(Exception failure) {
            try {
                if (isFinal.test(failure)) {
                    finish(RequestKeys.State.FAILED, text(failure));
                } else {
                    release();
                }
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }

        private void release() {
            // Whoever lost the key has nothing to give back, so the answer does not matter.
            inTransaction(connection -> keys.extend(connection, key, fence, Duration.ZERO));
        }
    }

    private static String text(Exception failure) {
        String text = (failure.getClass().getName() + ": " + failure.getMessage()).replace('\0', '\u2400');
        return text.length() <= MOST_ERROR ? text : text.substring(0, MOST_ERROR);
    }
}
