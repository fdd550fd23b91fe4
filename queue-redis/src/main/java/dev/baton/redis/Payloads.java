package dev.baton.redis;

import dev.baton.job.NewJob;

/**
 * What a job may carry: text that is whole, and not too much of it.
 *
 * @param largest bytes in UTF-8
 */
record Payloads(int largest) {
    /** Redis is memory, and one large value delays everybody behind it. */
    static final Payloads DEFAULT = new Payloads(256 * 1024);

    private static final int HIGHEST = 16 * 1024 * 1024;

    Payloads {
        if (largest < 1 || largest > HIGHEST) {
            throw new IllegalArgumentException(
                    "the largest payload is " + largest + " bytes; it must be between 1 and " + HIGHEST);
        }
    }

    /**
     * Checks the payload.
     *
     * @return its bytes in UTF-8
     * @throws IllegalArgumentException naming the job, the size and the bound, but no data
     */
    long check(NewJob job) {
        long bytes = utf8Length(job);
        if (bytes > largest) {
            throw new IllegalArgumentException("the payload of " + job + " has " + bytes + " bytes; at most " + largest
                    + " are allowed: store the data elsewhere and send its id");
        }
        return bytes;
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
