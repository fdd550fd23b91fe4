package dev.baton.internal;

import java.time.Duration;

/**
 * A wait that a wake-up cannot miss: {@link #wake} ends the wait in progress, or else the next one at once. Many
 * wake-ups before one wait count as one. Thread-safe.
 */
final class Waiter {
    private boolean woken;

    synchronized void wake() {
        woken = true;
        notifyAll();
    }

    /** Returns after the duration, or at a wake-up, whichever is first. */
    synchronized void await(Duration longest) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        long left = longest.toNanos();
        while (!woken && left > 0) {
            // Rounded up: a rest of half a millisecond must not become a busy loop.
            wait(left / 1_000_000 + 1);
            left = deadline - System.nanoTime();
        }
        woken = false;
    }
}
