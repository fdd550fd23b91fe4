package dev.baton.redis;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs so many attempts at once on an executor; the others wait here, in order. Thread-safe.
 *
 * <p>A slot that is done goes on with the next attempt that waits, on the same thread. Slots wake each other one by one, as
 * long as those awake have more to do than the wake-up of a thread takes: if attempts are shorter than that, few threads
 * run them all; if they are long, all slots are soon at work.
 */
final class Slots {
    private static final Logger log = LoggerFactory.getLogger(Slots.class);
    private static final double WAKE_UP_NANOS = 100_000;

    private final int size;
    private final Executor executor;
    private final Deque<Attempt> waiting = new ConcurrentLinkedDeque<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final AtomicInteger alive = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicBoolean waking = new AtomicBoolean();
    private volatile boolean closed;
    private volatile double nanosPerAttempt = Double.POSITIVE_INFINITY;

    Slots(int size, Executor executor) {
        this.size = size;
        this.executor = executor;
    }

    void offer(Attempt attempt) {
        waiting.addLast(attempt);
        waitingCount.incrementAndGet();
        wakeOne();
    }

    int size() {
        return size;
    }

    /** Runs no more: what waits, and what is still offered, can only be taken back. */
    void close() {
        closed = true;
    }

    /** Goes on. */
    void open() {
        closed = false;
        wakeOne();
    }

    boolean closed() {
        return closed;
    }

    /** How long an attempt is expected to take. */
    void expect(double nanos) {
        nanosPerAttempt = nanos;
    }

    int waiting() {
        return waitingCount.get();
    }

    int idle() {
        return Math.max(0, size - running.get());
    }

    /** How many of those that wait could not run at once if the executor were quick. */
    int excess() {
        return Math.max(0, waitingCount.get() - idle());
    }

    /** So many of those that wait, the one that waits for the longest time first. */
    List<Attempt> first(int most) {
        List<Attempt> first = new ArrayList<>();
        for (Attempt attempt : waiting) {
            if (first.size() == most) {
                break;
            }
            first.add(attempt);
        }
        return first;
    }

    /** Takes back so many that wait, the last first. */
    List<Attempt> takeBack(int most) {
        List<Attempt> back = new ArrayList<>();
        while (back.size() < most) {
            Attempt attempt = waiting.pollLast();
            if (attempt == null) {
                break;
            }
            waitingCount.decrementAndGet();
            back.add(attempt);
        }
        return back;
    }

    /** Whether attempts wait and the executor takes none of them. */
    boolean refused() {
        return waitingCount.get() > 0 && alive.get() == 0 && !wakeOne();
    }

    /** False if the executor refuses. */
    private boolean wakeOne() {
        if (!tooFew() || !waking.compareAndSet(false, true)) {
            return true;
        }
        if (alive.incrementAndGet() > size) {
            alive.decrementAndGet();
            waking.set(false);
            return true;
        }
        try {
            executor.execute(this::run);
            return true;
        } catch (RuntimeException | Error e) {
            // The pool is shut down, or no thread is to be had.
            alive.decrementAndGet();
            waking.set(false);
            log.debug("the executor refused", e);
            return false;
        }
    }

    private boolean tooFew() {
        int queued = waitingCount.get();
        int awake = alive.get();
        return !closed
                && queued > 0
                && awake < size
                && (awake == 0 || queued * nanosPerAttempt / awake > WAKE_UP_NANOS);
    }

    private void run() {
        waking.set(false);
        for (Attempt next = poll(); next != null; next = poll()) {
            waitingCount.decrementAndGet();
            running.incrementAndGet();
            wakeOne();
            try {
                next.run();
            } catch (RuntimeException | Error e) {
                log.error("an attempt threw; this is a fault of the library", e);
            } finally {
                running.decrementAndGet();
            }
        }
        alive.decrementAndGet();
        // One may have come after this slot looked, when it still seemed to be at work.
        wakeOne();
    }

    private @Nullable Attempt poll() {
        return closed ? null : waiting.pollFirst();
    }
}
