package dev.baton.deadletter;

import java.util.ArrayList;
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
    /** A store that has kept nothing for so long is away, rather than particular. */
    long AWAY_NANOS = 10_000_000_000L;

    /**
     * Keeps the letters. One with the queue and {@linkplain DeadLetter#messageId() message id} of a known one is another
     * death of the same job: it replaces the contents and opens the letter again, unless that very death is known already.
     * So burying twice is harmless, and a job is never there twice.
     *
     * @throws RuntimeException if not all of them are kept; they come again
     */
    void bury(List<DeadLetter> letters);

    /**
     * Keeps as many of the letters as it can: all at once, or if that fails one by one, so that a letter which the store
     * refuses does not hold up the others.
     *
     * @return those that are kept; the others come again
     * @throws RuntimeException if none is
     */
    default List<DeadLetter> buryEach(List<DeadLetter> letters) {
        long began = System.nanoTime();
        try {
            bury(letters);
            return letters;
        } catch (RuntimeException e) {
            List<DeadLetter> kept = new ArrayList<>();
            for (DeadLetter letter : letters) {
                try {
                    bury(List.of(letter));
                    kept.add(letter);
                } catch (RuntimeException refused) {
                    e.addSuppressed(refused);
                    if (kept.isEmpty() && System.nanoTime() - began > AWAY_NANOS) {
                        throw e;
                    }
                }
            }
            if (kept.isEmpty()) {
                throw e;
            }
            return kept;
        }
    }

    /**
     * Letters that nobody has dealt with, oldest first.
     *
     * @param limit at most so many, 1 to 1,000
     */
    List<DeadLetter> open(int limit);
}
