package dev.baton.redis;

import java.time.Duration;
import java.time.Instant;

/**
 * When a lease ends, by both clocks.
 *
 * @param at by the store's clock
 * @param nanoTime by {@link System#nanoTime}; never later, as it is counted from before the request
 */
record LeaseEnd(Instant at, long nanoTime) {
    /**
     * Of leases that a request took or renewed.
     *
     * @param askedAt before it was sent for the first time, by {@link System#nanoTime}
     * @param repeatedAfter ns from then until it was sent for the last time: the leases may be as old as that
     */
    static LeaseEnd of(Exchange.Reply reply, long askedAt, long repeatedAfter, Duration lease) {
        Instant at = Instant.ofEpochMilli(reply.now()).plus(lease).minusNanos(repeatedAfter);
        return new LeaseEnd(at, askedAt + lease.toNanos());
    }

    boolean passed() {
        return System.nanoTime() - nanoTime >= 0;
    }
}
