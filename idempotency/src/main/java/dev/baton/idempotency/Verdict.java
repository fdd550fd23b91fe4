package dev.baton.idempotency;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a guard of requests says to one request. All times are the database's. */
public sealed interface Verdict {
    /**
     * The effect was applied now.
     *
     * @param result what it returned; stored
     */
    record Executed(String result) implements Verdict {
        /** Says that there is a result, never what is in it. */
        @Override
        public String toString() {
            return "Executed";
        }
    }

    /**
     * The effect was applied before.
     *
     * @param result what it returned then
     * @param at when
     */
    record Replayed(String result, Instant at) implements Verdict {
        /** Says that there is a result, never what is in it. */
        @Override
        public String toString() {
            return "Replayed[at=" + at + "]";
        }
    }

    /**
     * Another run of the same request is at it; ask again later.
     *
     * @param leaseEnd when the key is free again at the latest unless that run renews its claim; null if that run is a
     *     transaction, which ends when it ends
     */
    record InProgress(@Nullable Instant leaseEnd) implements Verdict {}

    /** The key was used for a request that asked for something else; nothing was applied. The caller has a bug. */
    record Mismatch() implements Verdict {}

    /**
     * The effect failed before, in a way that trying again cannot help.
     *
     * @param error as it was recorded
     * @param at when
     */
    record FailedBefore(String error, Instant at) implements Verdict {}
}
