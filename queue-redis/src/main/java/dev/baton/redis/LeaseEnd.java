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
    static LeaseEnd of(Exchange.Reply reply, long askedAtNanoTime, Duration lease) {
        return new LeaseEnd(Instant.ofEpochMilli(reply.now()).plus(lease), askedAtNanoTime + lease.toNanos());
    }

    boolean passed() {
        return System.nanoTime() - nanoTime >= 0;
    }
}
