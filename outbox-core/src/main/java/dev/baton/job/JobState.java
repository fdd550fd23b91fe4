package dev.baton.job;

/** Where a job is; the package says how it gets from one to another. */
public enum JobState {
    /** Waits for a free slot of a worker. */
    READY,
    /** Waits for its time. */
    DELAYED,
    /** Waits behind its ordering key. */
    BLOCKED,
    /** Is held by a worker. */
    LEASED,
    /** Waits for the dead-letter store. */
    DEAD,
    /** Ended well and is kept on request. */
    COMPLETED
}
