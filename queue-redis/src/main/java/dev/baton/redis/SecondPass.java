package dev.baton.redis;

import dev.baton.internal.Pass;
import java.time.Duration;
import java.util.List;

/**
 * A second conversation beside the first, as long as exchanges are full: while one is on its way, the other is at work, so
 * a distant Redis is as busy as a near one. It rests until it is woken.
 */
final class SecondPass implements Pass {
    private static final Duration UNTIL_WOKEN = Duration.ofDays(1);

    private final Conversation conversation;
    private final Runnable first;

    /**
     * A pass that is not woken yet.
     *
     * @param first wakes the first conversation, which renews the leases
     */
    SecondPass(Conversation conversation, Runnable first) {
        this.conversation = conversation;
        this.first = first;
    }

    /** Whether something must still be told to the queue. */
    boolean hasNews() {
        return conversation.isUnanswered();
    }

    @Override
    public Duration run() {
        Conversation.Answered answered = conversation.exchange(List.of());
        if (!answered.reply().taken().isEmpty()) {
            // It may have gone to rest when it had nothing to renew.
            first.run();
        }
        return answered.isFull() ? Duration.ZERO : UNTIL_WOKEN;
    }
}
