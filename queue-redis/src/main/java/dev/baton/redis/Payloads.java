package dev.baton.redis;

import dev.baton.internal.Bounds;
import dev.baton.internal.Utf8;
import dev.baton.job.NewJob;

/**
 * What a job may carry: text that is whole, and not too much of it.
 *
 * @param largest bytes in UTF-8
 */
record Payloads(int largest) {
    /** Redis is memory, and one large value delays everybody behind it. */
    static final Payloads DEFAULT = new Payloads(NewJob.LARGEST_PAYLOAD);

    private static final int HIGHEST = 16 * 1024 * 1024;

    Payloads {
        Bounds.between("the largest payload in bytes", largest, 1, HIGHEST);
    }

    /**
     * Checks the payload.
     *
     * @return its bytes in UTF-8
     * @throws IllegalArgumentException naming the job, the size and the bound, but no data
     */
    long check(NewJob job) {
        long bytes = Utf8.length(job.payload());
        if (bytes < 0) {
            throw new IllegalArgumentException("the payload of " + job + " has half a surrogate pair at index " + ~bytes
                    + "; it would arrive as a question mark");
        }
        if (bytes > largest) {
            throw new IllegalArgumentException("the payload of " + job + " has " + bytes + " bytes; at most " + largest
                    + " are allowed: store the data elsewhere and send its id");
        }
        return bytes;
    }
}
