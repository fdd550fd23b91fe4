package dev.baton.deadletter;

import java.util.UUID;

/**
 * How far a redrive is.
 *
 * @param id of the run
 * @param redriven letters sent back
 * @param skipped letters that could not be sent back; their audit trail says why
 */
public record RedriveProgress(UUID id, State state, int redriven, int skipped) {
    /** What a run is doing. */
    public enum State {
        /** Sends letters back, or will as soon as a redriver gets to it. */
        RUNNING,
        /** Waits to be resumed. */
        PAUSED,
        /** Stopped for good; what was sent back stays so. */
        CANCELLED,
        /** Nothing is left to be sent back. */
        DONE
    }
}
