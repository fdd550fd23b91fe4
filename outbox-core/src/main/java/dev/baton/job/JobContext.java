package dev.baton.job;

import java.time.Instant;

/**
 * What a handler can ask while it runs. A handler that takes long should look now and then, and stop early if it may not
 * go on: it is also interrupted when either of the two happens. Thread-safe.
 */
public interface JobContext {
    /** Another worker may have the job by now, and what this one settles will be refused. Never becomes false again. */
    boolean leaseLost();

    /** The worker is being stopped and the grace is over; the job goes back unharmed if the handler throws now. */
    boolean stopping();

    /** Until when the job is this worker's, by the store's clock; moves on with each renewal. */
    Instant leaseEnd();

    /** Whether the handler should stop: the lease is lost, or the worker is being stopped. */
    default boolean cancelled() {
        return leaseLost() || stopping();
    }
}
