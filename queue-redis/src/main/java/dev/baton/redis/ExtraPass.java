package dev.baton.redis;

import dev.baton.internal.Pass;
import java.time.Duration;
import java.util.List;

/** A conversation beside the first one, as long as its exchanges are full; otherwise it rests until it is woken. */
final class ExtraPass implements Pass {
    private static final Duration UNTIL_WOKEN = Duration.ofDays(1);

    private final Conversation conversation;
    private final Runnable first;
    private final Runnable next;

    /**
     * A pass that is not woken yet.
     *
     * @param first wakes the first conversation, which renews the leases
     * @param next wakes another one, if this one is not enough either
     */
    ExtraPass(Conversation conversation, Runnable first, Runnable next) {
        this.conversation = conversation;
        this.first = first;
        this.next = next;
    }

    /** Whether something must still be told to the queue. */
    boolean hasNews() {
        return conversation.isUnanswered();
    }

    @Override
    public Duration run() {
        if (!conversation.mayGoOn()) {
            return UNTIL_WOKEN;
        }
        Conversation.Answered answered = conversation.exchange(List::of);
        if (!answered.reply().taken().isEmpty()) {
            // It may have gone to rest when it had nothing to renew.
            first.run();
        }
        if (!answered.isFull()) {
            if (answered.reply().nextDueMs() >= 0 || conversation.hasFree()) {
                // What is due only this one knows. And slots that it asked for when the first went to rest, nobody asks
                // for any more; nor does anybody wait for the hint that there is a job for them.
                first.run();
            }
            return UNTIL_WOKEN;
        }
        next.run();
        return Duration.ZERO;
    }
}
