package dev.baton.relay;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Marks a batch as published, and if it is told so in another thread while the sinks take it: what is marked counts only once
 * the transaction commits, and that waits for both. The transaction must not be used by anybody else before {@link #finish}
 * or {@link #close}.
 */
final class Marking implements AutoCloseable {
    private static final int WORTH_A_THREAD = 100;
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Runnable mark;
    private final @Nullable CompletableFuture<Void> beside;

    private Marking(Runnable mark, @Nullable CompletableFuture<Void> beside) {
        this.mark = mark;
        this.beside = beside;
    }

    /**
     * Beside the hand-over if the batch is large, unless the last turn failed: while a sink is away, each try would leave a dead
     * version of every row.
     *
     * @param certain whether the last turn went well
     */
    static Marking of(Runnable mark, int events, boolean certain, Executor threads) {
        return certain && events >= WORTH_A_THREAD ? beside(mark, threads) : afterwards(mark);
    }

    /** Marks when it is finished. */
    static Marking afterwards(Runnable mark) {
        return new Marking(mark, null);
    }

    /** Begins to mark at once, in one of these threads. */
    static Marking beside(Runnable mark, Executor threads) {
        return new Marking(mark, CompletableFuture.runAsync(mark, threads));
    }

    /** Daemon threads, as many as are needed at a time; without work they end. */
    static Executor threads() {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE.toSeconds(), TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(work, "baton-relay-mark");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** Returns when everything is marked; throws what the marking threw. */
    void finish() {
        if (beside == null) {
            mark.run();
            return;
        }
        try {
            beside.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Waits until the transaction is free, whatever became of the marking. */
    @Override
    public void close() {
        if (beside != null) {
            beside.handle((done, failure) -> failure).join();
        }
    }
}
