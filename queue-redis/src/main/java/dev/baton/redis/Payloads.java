package dev.baton.redis;

import dev.baton.job.NewJob;

/** What a job may carry: text that is whole, and not too much of it. */
final class Payloads {
    /** Redis is memory, and one large value delays everybody behind it. */
    static final int LARGEST = 256 * 1024;

    private Payloads() {}

    /**
     * Checks the payload.
     *
     * @throws IllegalArgumentException naming the job, the size and the bound, but no data
     */
    static void check(NewJob job) {
        long bytes = utf8Length(job);
        if (bytes > LARGEST) {
            throw new IllegalArgumentException("the payload of " + job + " has " + bytes + " bytes; at most " + LARGEST
                    + " are allowed: store the data elsewhere and send its id");
        }
    }

    private static long utf8Length(NewJob job) {
        String text = job.payload();
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                throw new IllegalArgumentException("the payload of " + job + " has half a surrogate pair at index " + i
                        + "; it would arrive as a question mark");
            }
        }
        return bytes;
    }
}
