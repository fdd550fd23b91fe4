package dev.baton.deadletter;

import java.util.List;

/**
 * Where dead letters are kept.
 *
 * <p><b>Delivery.</b> A queue forgets a dead job only after {@link #bury} returned for it. If the store is down the job
 * waits in its queue; if the process dies in between, the letter is buried again.
 *
 * <p><b>Threads.</b> Thread-safe.
 */
public interface DeadLetterStore {
    /**
     * Keeps the letters. One with the queue and {@linkplain DeadLetter#messageId() message id} of a known one is another
     * death of the same job: it replaces the contents and opens the letter again, unless that very death is known already.
     * So burying twice is harmless, and a job is never there twice.
     *
     * @throws RuntimeException if not all of them are kept; they come again
     */
    void bury(List<DeadLetter> letters);

    /**
     * Letters that nobody has dealt with, oldest first.
     *
     * @param limit at most so many
     */
    List<DeadLetter> open(int limit);
}
