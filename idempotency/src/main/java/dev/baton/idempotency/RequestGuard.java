package dev.baton.idempotency;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Answers a request that carries an idempotency key exactly once, with effects in the caller's transaction: a repeat gets
 * the stored answer.
 *
 * <pre>{@code
 * Verdict verdict = guard.execute(tx, request.key(), Fingerprint.ofJson(request.body()), () -> refund(tx, request));
 * }</pre>
 *
 * <p>While another transaction holds the key it is waited for, 2 s at most by default; after that the verdict is
 * {@link Verdict.InProgress}, and the caller's transaction is as usable as before. Whether that other request asks for the
 * same cannot be known before it commits. For effects outside the database there is {@link LeasedGuard}, which shares the
 * memory with this one if it has the same consumer.
 *
 * <p><b>Threads.</b> Thread-safe.
 *
 * <p><b>Delivery.</b> Key, effect and result are one transaction: after a crash there are all or none. What the effect
 * throws goes to the caller, who must roll back; nothing is remembered then, and the key is free.
 */
public final class RequestGuard {
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final String consumer;
    private final Duration wait;
    private final RequestKeys keys;

    private RequestGuard(String consumer, Duration wait) {
        this.consumer = consumer;
        this.wait = Bounds.wait(wait);
        this.keys = new RequestKeys(consumer, "transaction");
    }

    /**
     * The guard of one consumer.
     *
     * @param consumer who answers the requests, such as {@code payments.refund}; keys of others do not meet its own
     * @throws IllegalArgumentException if it is blank, longer than 500 characters or has a null character
     */
    public static RequestGuard forConsumer(String consumer) {
        return new RequestGuard(Bounds.name("consumer", consumer), WAIT);
    }

    /**
     * The same guard with another bound on waiting for a transaction that holds the same key.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than an hour
     */
    public RequestGuard waitingAtMost(Duration longest) {
        return new RequestGuard(consumer, longest);
    }

    /**
     * Applies the effect unless a request with this key was answered before.
     *
     * @param transaction of the caller, who commits it
     * @param key the request's idempotency key
     * @param fingerprint what the request asks for
     * @param effect its result is stored, as text
     * @throws IllegalStateException if the handle is not in a transaction
     * @throws IllegalArgumentException if the key is blank, longer than 500 characters or has a null character; also if the
     *     effect's result is null or has a null character or half a surrogate pair, which cannot be stored: roll back
     */
    public <X extends Exception> Verdict execute(
            Handle transaction, String key, Fingerprint fingerprint, Guard.Call<String, X> effect) throws X {
        Transactions.check(transaction, key);
        Claimed claimed = Transactions.run(transaction, connection -> claim(connection, key, fingerprint));
        if (claimed.verdict().isPresent()) {
            return claimed.verdict().get();
        }
        String result = effect.call();
        return Transactions.run(transaction, connection -> finish(connection, key, claimed, result));
    }

    /**
     * As {@link #execute(Handle, String, Fingerprint, Guard.Call)}, on a JDBC connection whose auto-commit is off.
     */
    public <X extends Exception> Verdict execute(
            Connection transaction, String key, Fingerprint fingerprint, Guard.Call<String, X> effect)
            throws X, SQLException {
        Transactions.check(transaction, key);
        Claimed claimed = claim(transaction, key, fingerprint);
        return claimed.verdict().isPresent()
                ? claimed.verdict().get()
                : finish(transaction, key, claimed, effect.call());
    }

    private Claimed claim(Connection connection, String key, Fingerprint fingerprint) throws SQLException {
        Bounds.name("key", key);
        // Looked up first: a repeat should neither wait for nor lock the row that it reads.
        Optional<Verdict> known = keys.look(connection, key, fingerprint);
        if (known.isPresent()) {
            return new Claimed(known, 0);
        }
        Savepoint before = connection.setSavepoint();
        try {
            String ownTimeout = LockTimeout.swap(connection, LockTimeout.text(wait));
            // No lease: a row that is committed without a result, by a caller who swallowed the effect's failure, is
            // free at once.
            Optional<Long> fence = keys.claim(connection, key, fingerprint, Duration.ZERO);
            LockTimeout.swap(connection, ownTimeout);
            connection.releaseSavepoint(before);
            return fence.isPresent()
                    ? new Claimed(Optional.empty(), fence.get())
                    : new Claimed(lost(connection, key, fingerprint), 0);
        } catch (SQLException e) {
            if (!LockTimeout.isCauseOf(e)) {
                throw e;
            }
            connection.rollback(before);
            connection.releaseSavepoint(before);
            return new Claimed(Optional.of(new Verdict.InProgress(null)), 0);
        }
    }

    /** Somebody committed the key while this transaction waited for it. */
    private Optional<Verdict> lost(Connection connection, String key, Fingerprint fingerprint) throws SQLException {
        Optional<Verdict> known = keys.look(connection, key, fingerprint);
        return known.isPresent() ? known : Optional.of(new Verdict.InProgress(null));
    }

    private Verdict finish(Connection connection, String key, Claimed claimed, String result) throws SQLException {
        String why = Bounds.unstorable(result);
        if (why != null) {
            throw new IllegalArgumentException("the effect's answer cannot be stored: " + why);
        }
        if (!keys.finish(connection, key, claimed.fence(), RequestKeys.State.DONE, result)) {
            throw new IllegalStateException(
                    "the key of this very transaction is gone; was it rolled back to a savepoint of the effect?");
        }
        return new Verdict.Executed(result);
    }

    private record Claimed(Optional<Verdict> verdict, long fence) {}
}
