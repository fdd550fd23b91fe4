package dev.baton.redis;

import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * The time in which the queue does not hear a worker, until it has heard all that was to be told then. Thread-safe.
 *
 * <p>Leases go on ending meanwhile, those of finished jobs too. The worker itself is often the first to be back: if it
 * reclaimed them before it has told of their ends, it would run its own finished jobs again. So during a silence its
 * conversations send again what has no answer, then the first of them tells the ends that have come to wait, and only the
 * request with the last of these may reclaim again.
 *
 * <p>If Redis was away, other workers have as much to tell. After a silence so long that their leases may have ended they are
 * given the time that it takes them to come back.
 */
final class Silence {
    private static final int UNKNOWN = -1;
    private static final Duration MORE = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofMillis(100);

    private final long longNanos;
    private final long graceNanos;
    private boolean lasts;
    private int underWay;
    private int untold = UNKNOWN;
    private long since;
    private long reclaimAt = System.nanoTime();

    /**
     * The queue hears the worker.
     *
     * @param lease renewed three times in its length; whoever is silent for a shorter time than a third of it loses none
     * @param longestRest of a worker between two attempts to reach Redis; others are waited for a second longer than that, but
     *     not longer than a lease
     */
    Silence(Duration lease, Duration longestRest) {
        this.longNanos = lease.dividedBy(3).toNanos();
        this.graceNanos = Math.min(longestRest.plus(MORE).toNanos(), lease.toNanos());
    }

    /**
     * A request has no answer.
     *
     * @param askedAt when it was sent for the first time, by {@link System#nanoTime}
     */
    synchronized void begins(long askedAt) {
        if (!lasts) {
            lasts = true;
            since = askedAt;
        }
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
        if (lasts && underWay == 1) {
            tells(waiting, room);
        }
        return !lasts && System.nanoTime() - reclaimAt >= 0;
    }

    /** A request has its answer. */
    synchronized void answered() {
        underWay--;
    }

    /** After this a request may reclaim, as far as is known. */
    synchronized Duration untilReclaim() {
        return lasts ? SOON : Duration.ofNanos(Math.max(0, reclaimAt - System.nanoTime()));
    }

    private void tells(IntSupplier waiting, int room) {
        if (untold == UNKNOWN) {
            // What comes to wait later belongs to leases that were renewed or taken after the silence.
            untold = waiting.getAsInt();
            long now = System.nanoTime();
            reclaimAt = now - since >= longNanos ? now + graceNanos : now;
        }
        untold -= room;
        lasts = untold > 0;
    }
}
