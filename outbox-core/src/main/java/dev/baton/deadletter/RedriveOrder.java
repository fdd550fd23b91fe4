package dev.baton.deadletter;

import dev.baton.internal.MergePatch;
import org.jspecify.annotations.Nullable;

/**
 * Which letters to send back, and how.
 *
 * @param filter which; of these only the open ones that were buried before the order
 * @param limit at most so many; null for all
 * @param perSecond at most so many per second; null for as fast as it goes
 * @param patch a JSON merge patch (RFC 7386) for each payload; null to leave it
 * @param by who ordered it
 * @param why for the audit trail
 */
public record RedriveOrder(
        LetterFilter filter,
        @Nullable Integer limit,
        @Nullable Double perSecond,
        @Nullable String patch,
        String by,
        String why) {
    private static final double MOST_PER_SECOND = 1_000;

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if the limit is less than 1, the rate not between 0.001 and 1,000 per second, the
     *     patch no JSON, or who or why is blank
     */
    public RedriveOrder {
        if (limit != null && limit < 1) {
            throw new IllegalArgumentException("limit is " + limit + "; it must be at least 1");
        }
        if (perSecond != null && !(perSecond >= 0.001 && perSecond <= MOST_PER_SECOND)) {
            throw new IllegalArgumentException("perSecond is " + perSecond + "; it must be between 0.001 and 1000;"
                    + " leave it out for as fast as it goes");
        }
        if (patch != null) {
            MergePatch.check(patch);
        }
        if (by.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("by or why is blank; say who orders the redrive and for what reason");
        }
    }

    /**
     * The topic under which letters of this queue and job name are sent back through the outbox. The relay needs a route
     * for it; {@code Routes.redrivable()} adds all that are needed.
     */
    public static String topic(String queue, String jobName) {
        return "baton.redrive/" + queue + "/" + jobName;
    }

    /** All of these, unchanged, as fast as it goes. */
    public static RedriveOrder of(LetterFilter filter, String by, String why) {
        return new RedriveOrder(filter, null, null, null, by, why);
    }

    /** The same for at most so many. */
    public RedriveOrder limit(int most) {
        return new RedriveOrder(filter, most, perSecond, patch, by, why);
    }

    /** The same at this rate. */
    public RedriveOrder perSecond(double rate) {
        return new RedriveOrder(filter, limit, rate, patch, by, why);
    }

    /** The same with changed payloads. */
    public RedriveOrder patch(String mergePatch) {
        return new RedriveOrder(filter, limit, perSecond, mergePatch, by, why);
    }

    /** Says what is ordered, never what is in the patch. */
    @Override
    public String toString() {
        return "RedriveOrder[" + filter + " limit " + limit + " perSecond " + perSecond
                + (patch == null ? "" : " patched") + " by " + by + "]";
    }
}
