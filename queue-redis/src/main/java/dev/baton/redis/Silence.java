package dev.baton.redis;

import java.util.function.IntSupplier;

/**
 * The time in which the queue does not hear a worker, until it has heard all that was to be told then. Thread-safe.
 *
 * <p>Leases go on ending meanwhile, those of finished jobs too. The worker itself is often the first to be back: if it
 * reclaimed them before it has told of their ends, it would run its own finished jobs again. So during a silence its
 * conversations send again what has no answer, then the first of them tells the ends that have come to wait, and the
 * request with the last of these is the first that reclaims again. Another worker may be back sooner; then the ends are
 * refused, and the jobs run again.
 */
final class Silence {
    private static final int UNKNOWN = -1;

    private boolean lasts;
    private int underWay;
    private int untold = UNKNOWN;

    /** A request has no answer. */
    synchronized void begins() {
        lasts = true;
        untold = UNKNOWN;
    }

    synchronized boolean lasts() {
        return lasts;
    }

    /**
     * A new request is to be made.
     *
     * @param waiting counts the ends that wait
     * @param room so many of them the request can carry, and then does
     * @return whether it may reclaim
     */
    synchronized boolean asks(IntSupplier waiting, int room) {
        underWay++;
        if (!lasts) {
            return true;
        }
        if (underWay > 1) {
            return false;
        }
        // What comes to wait later belongs to leases that were renewed or taken after the silence.
        untold = (untold == UNKNOWN ? waiting.getAsInt() : untold) - room;
        lasts = untold > 0;
        return !lasts;
    }

    /** A request has its answer. */
    synchronized void answered() {
        underWay--;
    }
}
