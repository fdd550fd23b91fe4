package dev.baton.internal;

import java.security.SecureRandom;
import java.util.UUID;

/** Ids that nobody else makes. */
public final class Ids {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Ids() {}

    /**
     * A UUID of version 7 (RFC 9562, section 5.7): 48 bits of wall time in milliseconds, then 74 random bits. Values
     * made one after the other lie side by side in a B-tree, so the index of a busy table stays local; nothing relies
     * on their order.
     */
    public static UUID timeOrdered() {
        long random = RANDOM.nextLong();
        long high = (System.currentTimeMillis() << 16) | 0x7000L | (random & 0x0fffL);
        long low = (RANDOM.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
        return new UUID(high, low);
    }

    /** Sixteen hexadecimal digits from 64 random bits: names one run of one worker. */
    public static String session() {
        return String.format("%016x", RANDOM.nextLong());
    }
}
