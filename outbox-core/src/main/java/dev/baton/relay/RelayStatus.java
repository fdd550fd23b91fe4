package dev.baton.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a relay is.
 *
 * @param lastPass since the last pass that succeeded, standing by included
 * @param lastError what the last pass failed of, if none succeeded since; class and message, without payload data
 * @param published events that this relay marked as published since it was made
 * @param healed events that it handed over again to sinks that had lost them
 * @param refused how often it put an event aside
 */
public record RelayStatus(Duration lastPass, @Nullable String lastError, long published, long healed, long refused) {
    /** Whether the last pass succeeded. */
    public boolean healthy() {
        return lastError == null;
    }
}
