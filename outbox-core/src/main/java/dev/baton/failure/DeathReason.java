package dev.baton.failure;

/** Why a job will not be tried again. */
public enum DeathReason {
    /** Its handler said that trying again cannot help. */
    PERMANENT,
    /** Its retry budget is spent. */
    ATTEMPTS,
    /** It was started as often as it may be. */
    STARTS
}
