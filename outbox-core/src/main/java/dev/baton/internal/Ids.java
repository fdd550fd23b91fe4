package dev.baton.internal;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Ids that nobody else makes. */
public final class Ids {
    private static final int COUNTER_BITS = 12;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Time and counter of the last one. */
    private static final AtomicLong LAST = new AtomicLong();

    private Ids() {}

    /**
     * A UUID of version 7 (RFC 9562, section 5.7): 48 bits of wall time in milliseconds, 12 bits that count within one (section
     * 6.2, method 1), then 62 random bits. Each is larger than all before in this process, also if the clock is put back, so
     * jobs that are due in the same millisecond come up in the order in which they were made. Values made one after the
     * other lie side by side in a B-tree, so the index of a busy table stays local.
     */
    public static UUID timeOrdered() {
        long now = System.currentTimeMillis() << COUNTER_BITS;
        long time = LAST.accumulateAndGet(now, (last, at) -> Math.max(last + 1, at));
        long high = (time >>> COUNTER_BITS << 16) | 0x7000L | (time & ((1 << COUNTER_BITS) - 1));
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
