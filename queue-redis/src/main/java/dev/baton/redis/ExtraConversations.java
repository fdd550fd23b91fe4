package dev.baton.redis;

import dev.baton.internal.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Conversations beside the first, each with a thread, while exchanges are full: one is on its way while another one is at
 * work, so a distant Redis is as busy as a near one. A full exchange wakes the next conversation; a thread begins when it is
 * needed for the first time.
 */
final class ExtraConversations {
    /** More of them only wait for each other. */
    static final int COUNT = 4;

    private final List<Extra> extras = new ArrayList<>();

    /**
     * None is at work yet.
     *
     * @param first wakes the first conversation
     */
    ExtraConversations(Supplier<Conversation> conversations, Runnable first, WorkerLoops loops) {
        for (int i = 0; i < COUNT; i++) {
            int next = i + 1;
            ExtraPass pass = new ExtraPass(conversations.get(), first, () -> wake(next));
            extras.add(new Extra(pass, loops.add("exchange-" + (i + 2), pass), new AtomicBoolean()));
        }
    }

    /** There is more to do than one exchange at a time carries. */
    void wake() {
        wake(0);
    }

    /** Whether something must still be told to the queue. */
    boolean hasNews() {
        return extras.stream().anyMatch(extra -> extra.pass.hasNews());
    }

    /** Tells it, in the caller's thread; only when they are closed. */
    void tellNews() {
        extras.stream().map(Extra::pass).filter(ExtraPass::hasNews).forEach(ExtraPass::run);
    }

    /** Lets the exchanges in progress end, and their threads. */
    void close() {
        extras.forEach(extra -> extra.loop.stop());
        extras.forEach(extra -> extra.loop.close());
    }

    private void wake(int number) {
        if (number < COUNT) {
            extras.get(number).wake();
        }
    }

    private record Extra(ExtraPass pass, Loop loop, AtomicBoolean started) {
        void wake() {
            if (started.compareAndSet(false, true)) {
                loop.start();
            } else {
                loop.nudge();
            }
        }
    }
}
