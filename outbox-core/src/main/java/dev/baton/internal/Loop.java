package dev.baton.internal;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that repeats a {@link Pass} until it is closed.
 *
 * <p>No error ends it, not even an {@link Error}: a failed pass is {@linkplain FailureLog logged} and tried again after a
 * {@linkplain Rests rest} that grows. {@link #nudge} ends the rest of a healthy loop but not that of a failing one: a burst of nudges must not become a
 * burst of reconnects. {@link #retry} ends that too, when it is known that the server is back.
 *
 * <p><b>Threads.</b> One daemon thread of its own; all methods may be called from any thread.
 */
public final class Loop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Loop.class);

    private final String name;
    private final Pass pass;
    private final FailureLog failures;
    private final Waiter waiter = new Waiter();
    private final Waiter afterFailure = new Waiter();
    private final Thread thread;
    private final Rests rests;
    private final Runnable whenBack;
    private volatile boolean closing;

    private int failuresInARow;

    /**
     * A loop that is not started yet.
     *
     * @param name of the thread and in the log, such as {@code baton-relay}
     * @param pass what to repeat; called by one thread only
     */
    public Loop(String name, Pass pass) {
        this(name, pass, new FailureLog());
    }

    /**
     * The same for loops that belong together.
     *
     * @param failures the same for all of them
     */
    public Loop(String name, Pass pass, FailureLog failures) {
        this(name, pass, failures, Rests.DEFAULT, () -> {});
    }

    /**
     * The same with rests of one's own.
     *
     * @param whenBack told when a pass succeeds after one that failed; called by the thread of the loop
     */
    public Loop(String name, Pass pass, FailureLog failures, Rests rests, Runnable whenBack) {
        this.name = name;
        this.pass = pass;
        this.failures = failures;
        this.rests = rests;
        this.whenBack = whenBack;
        this.thread = new Thread(this::repeat, name);
        this.thread.setDaemon(true);
    }

    /** Starts the thread; once only. */
    public Loop start() {
        thread.start();
        return this;
    }

    /** Makes the next pass begin at once; a nudge during a pass causes one more. Never blocks, never throws. */
    public void nudge() {
        waiter.wake();
    }

    /**
     * Ends the rest after a failure, or the next one: a pass in progress may be about to fail of what is over already. Never
     * blocks, never throws.
     */
    public void retry() {
        afterFailure.wake();
    }

    /** Begins no further pass and returns at once; {@link #close} waits for the one in progress. */
    public void stop() {
        closing = true;
        waiter.wake();
        afterFailure.wake();
    }

    /** Whether {@link #stop} or {@link #close} was called. */
    public boolean stopping() {
        return closing;
    }

    /** Lets the pass in progress finish, then ends the thread; waits for that unless called by a pass itself. */
    @Override
    public void close() {
        stop();
        join(Long.MAX_VALUE);
    }

    /**
     * As {@link #close}, but waits no longer than that.
     *
     * @return whether the thread has ended, or is the caller's
     */
    public boolean close(Duration longest) {
        stop();
        return join(Math.max(0, longest.toNanos()));
    }

    /** Interrupts the pass in progress, if it is not the caller's; for after a {@link #close(Duration)} that was not enough. */
    public void interrupt() {
        if (thread != Thread.currentThread()) {
            thread.interrupt();
        }
    }

    /** Whatever interrupts the caller: what comes after a close relies on the pass being over. */
    private boolean join(long nanos) {
        if (thread == Thread.currentThread()) {
            return true;
        }
        long began = System.nanoTime();
        boolean interrupted = false;
        long left = nanos;
        while (thread.isAlive() && left > 0) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            left = nanos - (System.nanoTime() - began);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private void repeat() {
        while (!closing) {
            try {
                rest(pass.run());
            } catch (InterruptedException e) {
                // Nobody but a stray library interrupts this thread: the flag is now clear, and work goes on.
                log.debug("{} was interrupted", name);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    private void rest(Duration duration) throws InterruptedException {
        if (failuresInARow > 0) {
            failuresInARow = 0;
            whenBack.run();
        }
        if (!closing && duration.compareTo(Duration.ZERO) > 0) {
            waiter.await(duration);
        }
    }

    private void failed(Throwable e) {
        if (closing) {
            log.debug("{} failed while closing", name, e);
        } else {
            failures.failed(name, e);
        }
        Duration rest = rests.after(failuresInARow++, ThreadLocalRandom.current());
        try {
            if (!closing) {
                afterFailure.await(rest);
            }
        } catch (InterruptedException interrupted) {
            log.debug("{} was interrupted", name);
        }
    }
}
