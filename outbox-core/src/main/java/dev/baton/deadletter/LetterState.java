package dev.baton.deadletter;

/** What was done about a letter. */
public enum LetterState {
    /** Nothing yet. */
    OPEN,
    /** Sent back; opens again if it dies again. */
    REDRIVEN,
    /** Given up by somebody, with a reason. */
    DISCARDED
}
