package dev.baton.idempotency;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Applies an effect exactly once per message, for one consumer.
 *
 * <pre>{@code
 * Guard guard = Guard.forConsumer("loyalty.award-points");
 * jdbi.useTransaction(tx -> guard.once(tx, job.messageId(), () -> tx.execute("UPDATE ..")));
 * }</pre>
 *
 * <p><b>Errors.</b> Whoever holds the message is waited for, as long as the connection's {@code lock_timeout} and
 * {@code statement_timeout} say, like any row in PostgreSQL; {@link #waitingAtMost} sets a bound. Under {@code REPEATABLE READ} and
 * above, PostgreSQL ends that wait with a serialization failure (40001), which is to be tried again.
 *
 * <p><b>Threads.</b> Thread-safe. Two transactions with the same message wait for each other: the second applies the effect
 * only if the first rolled back.
 *
 * <p><b>Delivery.</b> The mark and the effect are in one transaction, so after a crash at any point there are both or
 * neither. That holds for what the effect does in this transaction; a call to a foreign system inside it is not undone by
 * a rollback and is repeated: give that system a key of ours, and it is at least once with us and once with it.
 */
public final class Guard {
    private final Marks marks;
    private final String consumer;

    private Guard(String consumer, @Nullable Duration wait) {
        this.consumer = consumer;
        this.marks = new Marks(consumer, wait);
    }

    /**
     * The guard of one consumer.
     *
     * @param consumer who applies the effect, such as {@code loyalty.award-points}; renaming it makes it forget
     * @throws IllegalArgumentException if it is blank, longer than 500 characters or has a null character
     */
    public static Guard forConsumer(String consumer) {
        return new Guard(Bounds.name("consumer", consumer), null);
    }

    /**
     * The same guard with a bound on waiting for a transaction that holds the same message: a {@link GuardBusyException}
     * then says so, and the transaction can only be rolled back. It holds for the guard's own statement; the transaction's
     * {@code lock_timeout} is afterwards what it was. Costs two more trips to PostgreSQL per call.
     *
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than an hour
     */
    public Guard waitingAtMost(Duration wait) {
        return new Guard(consumer, Bounds.wait(wait));
    }

    /**
     * Marks the message as processed and applies the effect, unless it was processed before.
     *
     * @param transaction of the caller, who commits it; never committed, rolled back or closed here
     * @param messageId of the message, usually {@code job.messageId()}; not blank
     * @param effect runs in the caller's thread; what it throws goes to the caller, who must roll back
     * @return true if the effect was applied now, false if it was applied before
     * @throws IllegalStateException if the handle is not in a transaction: the mark could then stand without the effect
     * @throws IllegalArgumentException if the message id is blank, longer than 500 characters or has a null character
     */
    public <X extends Exception> boolean once(Handle transaction, String messageId, Effect<X> effect) throws X {
        return fresh(transaction, messageId) && applied(effect);
    }

    /** As {@link #once(Handle, String, Effect)}, on a JDBC connection whose auto-commit is off. */
    public <X extends Exception> boolean once(Connection transaction, String messageId, Effect<X> effect)
            throws X, SQLException {
        return fresh(transaction, messageId) && applied(effect);
    }

    /**
     * As {@link #once(Handle, String, Effect)}, for an effect with a result, which is not stored: {@link RequestGuard}
     * stores one.
     *
     * @return what the effect returned, or empty if it was applied before
     */
    public <T, X extends Exception> Optional<T> supplyOnce(Handle transaction, String messageId, Call<T, X> effect)
            throws X {
        return fresh(transaction, messageId) ? Optional.of(effect.call()) : Optional.empty();
    }

    /** As {@link #supplyOnce(Handle, String, Call)}, on a JDBC connection whose auto-commit is off. */
    public <T, X extends Exception> Optional<T> supplyOnce(Connection transaction, String messageId, Call<T, X> effect)
            throws X, SQLException {
        return fresh(transaction, messageId) ? Optional.of(effect.call()) : Optional.empty();
    }

    /**
     * Marks many messages in one statement and applies the effect to those that were not processed before. Marks are made
     * in the order of their ids, so two batches with common messages cannot deadlock over them. The statement calls the
     * function {@code processed_messages_mark}: the database's user needs {@code EXECUTE} on it, which everybody has unless it
     * was revoked. It is made for batches in which all messages are new; one that is not costs about twice as much.
     *
     * @param messages in any order; of those with the same id the first counts
     * @param idOf the id of a message, as for {@link #once(Handle, String, Effect)}
     * @param effect gets the new messages in the order given; not called if there is none
     * @return the messages that the effect was applied to
     */
    public <M, X extends Exception> List<M> onceAll(
            Handle transaction, Collection<M> messages, Function<M, String> idOf, BatchEffect<M, X> effect) throws X {
        Map<String, M> byId = byId(messages, idOf);
        Transactions.check(transaction, "a batch");
        return apply(
                byId, Transactions.run(transaction, connection -> marks.markAll(connection, byId.keySet())), effect);
    }

    /** As {@link #onceAll(Handle, Collection, Function, BatchEffect)}, on a JDBC connection whose auto-commit is off. */
    public <M, X extends Exception> List<M> onceAll(
            Connection transaction, Collection<M> messages, Function<M, String> idOf, BatchEffect<M, X> effect)
            throws X, SQLException {
        Map<String, M> byId = byId(messages, idOf);
        Transactions.check(transaction, "a batch");
        return apply(byId, marks.markAll(transaction, byId.keySet()), effect);
    }

    private boolean fresh(Handle transaction, String messageId) {
        Bounds.name("messageId", messageId);
        Transactions.check(transaction, messageId);
        return Transactions.run(transaction, connection -> marks.mark(connection, messageId));
    }

    private boolean fresh(Connection transaction, String messageId) throws SQLException {
        Bounds.name("messageId", messageId);
        Transactions.check(transaction, messageId);
        return marks.mark(transaction, messageId);
    }

    private static <X extends Exception> boolean applied(Effect<X> effect) throws X {
        effect.apply();
        return true;
    }

    private static <M> Map<String, M> byId(Collection<M> messages, Function<M, String> idOf) {
        Map<String, M> byId = new LinkedHashMap<>();
        messages.forEach(message -> byId.putIfAbsent(Bounds.name("messageId", idOf.apply(message)), message));
        return byId;
    }

    private static <M, X extends Exception> List<M> apply(
            Map<String, M> byId, Set<String> fresh, BatchEffect<M, X> effect) throws X {
        byId.keySet().retainAll(fresh);
        List<M> messages = List.copyOf(byId.values());
        if (!messages.isEmpty()) {
            effect.apply(messages);
        }
        return messages;
    }

    /** What is done once. */
    @FunctionalInterface
    public interface Effect<X extends Exception> {
        /** Does it, in the caller's transaction. */
        void apply() throws X;
    }

    /** What is done once, and returns something. */
    @FunctionalInterface
    public interface Call<T, X extends Exception> {
        /** Does it, in the caller's transaction; never null. */
        T call() throws X;
    }

    /** What is done once for each of many messages. */
    @FunctionalInterface
    public interface BatchEffect<M, X extends Exception> {
        /** Does it for these messages, in the caller's transaction. */
        void apply(List<M> fresh) throws X;
    }
}
