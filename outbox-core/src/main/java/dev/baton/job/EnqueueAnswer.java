package dev.baton.job;

/** What a queue says to one new job. */
public enum EnqueueAnswer {
    /** The job is in the queue now. */
    ACCEPTED,
    /** A job with this id is in the queue already and not finished; nothing changed. */
    DUPLICATE
}
