package dev.baton.relay;

import dev.baton.outbox.StoredEvent;
import java.util.List;

/**
 * How many events the next batch asks for: as many as a batch may have, or, of large ones, about as many as
 * {@value #CHARACTERS} characters hold. A thousand events of 256 KB would not fit many a heap.
 *
 * <p>How large the next ones are tells the last batch. A relay that knows none yet begins with few; and after a failure, which
 * may be a heap that was too small, it asks for half as many. One thread.
 */
final class BatchSize {
    /** In one batch. The heap holds a few copies of it on the way. */
    static final long CHARACTERS = 16L << 20;

    /** Of the largest events there are, four times as much as {@link #CHARACTERS}. */
    static final int FIRST = 250;

    private final int most;
    private int next;

    /** @param most that a batch may have */
    BatchSize(int most) {
        this.most = most;
        this.next = Math.min(most, FIRST);
    }

    int next() {
        return next;
    }

    /** The last batch had these. */
    void was(List<StoredEvent> events) {
        if (!events.isEmpty()) {
            long characters = events.stream()
                    .mapToLong(event ->
                            (long) event.payload().length() + event.headers().length())
                    .sum();
            long fit = CHARACTERS * events.size() / Math.max(1, characters);
            next = (int) Math.max(1, Math.min(most, fit));
        }
    }

    /** Nothing came of the last batch. */
    void failed() {
        next = Math.max(1, next / 2);
    }
}
