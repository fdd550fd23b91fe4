package dev.baton.redis;

import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;

/** A pool of no threads: it keeps its tasks until the test runs them. */
final class ByHand extends AbstractExecutorService {
    private final Deque<Runnable> tasks = new ConcurrentLinkedDeque<>();

    /** Also those that they add. */
    void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
