package dev.baton.job;

/**
 * What becomes of occurrences that nobody was there to fire. One is missed when it is more than
 * {@link Schedule#TOLERANCE a minute} late; then so are all that followed it until now. One that is less late runs, and so
 * does each that followed it: a slow or restarting worker misses nothing.
 */
public enum MissedRuns {
    /** They are dropped; the next one is the first in the future. */
    SKIP,
    /** One run stands for all of them, at once, under the time of the first; then the first in the future. */
    ONCE
}
