package dev.baton.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a relay is.
 *
 * @param lastPass since the last pass that succeeded, standing by included; of the shard where that is longest ago
 * @param lastError what a shard, the cleaning or the burying fails of, until it succeeds again: which of them, class and
 *     message, without payload data; of several, the one that failed last
 * @param published events that this relay marked as published since it was made
 * @param healed events that it handed over again to sinks that had lost them
 * @param refused how often it put an event aside
 * @param position up to which {@code seq} everything that it has seen is published or put aside, by its slowest shard; 0 if it
 *     has just begun. It may fall: what was committed late is taken late
 */
public record RelayStatus(
        Duration lastPass, @Nullable String lastError, long published, long healed, long refused, long position) {
    /** Whether the relay is up, rather than degraded: nothing that it does has failed without succeeding since. */
    public boolean healthy() {
        return lastError == null;
    }
}
