package dev.baton.idempotency;

import org.jdbi.v3.core.Handle;

/**
 * Applies an effect exactly once per message, for one consumer.
 *
 * <pre>{@code
 * Guard guard = Guard.forConsumer("loyalty.award-points");
 * jdbi.useTransaction(tx -> guard.once(tx, job.id(), () -> tx.execute("UPDATE ..")));
 * }</pre>
 *
 * <p><b>Delivery.</b> The mark and the effect are in one transaction, so after a crash at any point there are both or
 * neither. That holds for what the effect does in this transaction; a call to a foreign system inside it is not undone by
 * a rollback and is repeated.
 *
 * <p><b>Threads.</b> Thread-safe. Two transactions with the same message wait for each other: the second applies the effect
 * only if the first rolled back.
 */
public final class Guard {
    private final String consumer;

    private Guard(String consumer) {
        this.consumer = consumer;
    }

    /**
     * The guard of one consumer.
     *
     * @param consumer who applies the effect, such as {@code loyalty.award-points}; renaming it makes it forget
     * @throws IllegalArgumentException if it is blank
     */
    public static Guard forConsumer(String consumer) {
        if (consumer.isBlank()) {
            throw new IllegalArgumentException("consumer is blank; name who applies the effect");
        }
        return new Guard(consumer);
    }

    /**
     * Marks the message as processed and applies the effect, unless it was processed before.
     *
     * @param transaction of the caller, who commits it; never committed, rolled back or closed here
     * @param messageId of the message, usually the job's id; not blank
     * @param effect runs in the caller's thread; what it throws goes to the caller, who must roll back
     * @return true if the effect was applied now, false if it was applied before
     * @throws IllegalStateException if the handle is not in a transaction: the mark could then stand without the effect
     * @throws IllegalArgumentException if the message id is blank
     */
    public boolean once(Handle transaction, String messageId, Runnable effect) {
        if (!transaction.isInTransaction()) {
            throw new IllegalStateException("the handle is not in a transaction, so " + messageId
                    + " could be marked without its effect; call once inside jdbi.useTransaction(..)");
        }
        if (messageId.isBlank()) {
            throw new IllegalArgumentException("messageId is blank; use the id of the job or event");
        }
        // Marked first: whoever comes second waits here for the first one's commit or rollback.
        int marked = transaction.execute(
                "INSERT INTO processed_messages (consumer, message_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
                consumer,
                messageId);
        if (marked == 0) {
            return false;
        }
        effect.run();
        return true;
    }
}
