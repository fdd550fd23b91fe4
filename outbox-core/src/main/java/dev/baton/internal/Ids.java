package dev.baton.internal;

import java.security.SecureRandom;
import java.util.HexFormat;
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

    /**
     * Names one run of one worker: 64 hexadecimal digits. So long because Redis keeps a sorted set of short members in a
     * compact form that it searches from one end to the other; one member of more than 64 bytes ends that, and a lease is
     * looked up three times.
     */
    public static String session() {
        byte[] random = new byte[32];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
