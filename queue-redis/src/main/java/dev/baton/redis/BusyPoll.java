package dev.baton.redis;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Looks for an answer for a moment before the thread sleeps until it is there.
 *
 * <p>To sleep and be woken may cost more than the whole of a small command at a nearby Redis: 50 of 80 microseconds on a
 * virtual machine. Who looks for as long as that at most, and sleeps then, pays at most twice what the better choice costs
 * (Karlin, Li, Manasse and Owicki, <i>Empirical studies of competitive spinning</i>, SOSP 1991). Where answers take longer, looking stops
 * by itself: after each vain look twice as many answers pass without one, up to {@value #MOST_PASSED}. Between two looks
 * the processor is offered to whoever wants it.
 *
 * <p>One per connection; one thread at a time.
 */
final class BusyPoll {
    private static final int MOST_PASSED = 1_024;

    private final Gate gate;
    private boolean asked;
    private int pause;
    private int toPass;

    BusyPoll(Gate gate) {
        this.gate = gate;
    }

    /** A question is on its way, so the next wait is for the beginning of an answer; all that follow are for the rest of it. */
    void asked() {
        asked = true;
    }

    /** Returns as soon as there is something to read, or when it is better to sleep. */
    void await(InputStream answers) throws IOException {
        if (!asked) {
            return;
        }
        asked = false;
        if (toPass > 0) {
            toPass--;
        } else if (gate.enter()) {
            try {
                learn(look(answers));
            } finally {
                gate.leave();
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on the yield: it is a courtesy to other threads
    private boolean look(InputStream answers) throws IOException {
        long began = gate.nanoTime();
        while (answers.available() == 0) {
            if (gate.nanoTime() - began >= gate.nanos) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    private void learn(boolean found) {
        pause = found ? pause / 2 : Math.min(MOST_PASSED, 2 * pause + 1);
        toPass = found ? 0 : pause;
    }

    /** How long one look lasts at most, and that only one of the connections that share this looks at a time. Thread-safe. */
    static final class Gate {
        private final long nanos;
        private final LongSupplier clock;
        private final AtomicBoolean taken = new AtomicBoolean();

        /**
         * Never opens if the time is zero, or there is but one processor: who looks would keep a Redis beside it from answering.
         *
         * @param clock in nanoseconds
         */
        Gate(Duration atMost, int processors, LongSupplier clock) {
            this.nanos = processors > 1 ? atMost.toNanos() : 0;
            this.clock = clock;
        }

        /** How long a look lasts at most; zero for none. */
        Duration atMost() {
            return Duration.ofNanos(nanos);
        }

        private boolean enter() {
            return nanos > 0 && taken.compareAndSet(false, true);
        }

        private void leave() {
            taken.set(false);
        }

        private long nanoTime() {
            return clock.getAsLong();
        }
    }
}
