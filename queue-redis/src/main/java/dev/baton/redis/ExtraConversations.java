package dev.baton.redis;

import dev.baton.internal.Loop;
import dev.baton.internal.Pass;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Conversations beside the first, each with a thread, while exchanges are full: one is on its way while another one is at
 * work, so a distant Redis is as busy as a near one. A full exchange wakes the next conversation; a thread begins when it is
 * needed for the first time.
 */
final class ExtraConversations {
    /** More of them only wait for each other. */
    static final int COUNT = 2;

    private final List<ExtraPass> passes = new ArrayList<>();
    private final List<Loop> loops = new ArrayList<>();
    private final List<AtomicBoolean> started = new ArrayList<>();

    /**
     * None is at work yet.
     *
     * @param first wakes the first conversation
     * @param newLoop makes the thread of this name
     */
    ExtraConversations(Supplier<Conversation> conversations, Runnable first, BiFunction<String, Pass, Loop> newLoop) {
        for (int i = 0; i < COUNT; i++) {
            int next = i + 1;
            ExtraPass pass = new ExtraPass(conversations.get(), first, () -> wake(next));
            passes.add(pass);
            loops.add(newLoop.apply("exchange-" + (i + 2), pass));
            started.add(new AtomicBoolean());
        }
    }

    /** There is more to do than one exchange at a time carries. */
    void wake() {
        wake(0);
    }

    /** Whether something must still be told to the queue. */
    boolean hasNews() {
        return passes.stream().anyMatch(ExtraPass::hasNews);
    }

    /** Tells it, in the caller's thread; only when they are closed. */
    void tellNews() {
        passes.stream().filter(ExtraPass::hasNews).forEach(ExtraPass::run);
    }

    /** Lets the exchanges in progress end, and their threads. */
    void close() {
        loops.forEach(Loop::stop);
        loops.forEach(Loop::close);
    }

    private void wake(int number) {
        if (number == COUNT) {
            return;
        }
        if (started.get(number).compareAndSet(false, true)) {
            loops.get(number).start();
        } else {
            loops.get(number).nudge();
        }
    }
}
