package dev.baton.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Counts what the passes of a relay do. Thread-safe. */
final class Tally {
    private long lastPass = System.nanoTime();
    private @Nullable String lastError;
    private long published;
    private long healed;
    private long refused;

    synchronized void add(PassResult result) {
        published += result.published();
        healed += result.healed();
        refused += result.refused();
        succeeded();
    }

    synchronized void succeeded() {
        lastPass = System.nanoTime();
        lastError = null;
    }

    synchronized void failed(Throwable error) {
        lastError = error.getClass().getName() + ": " + error.getMessage();
    }

    synchronized RelayStatus status() {
        return new RelayStatus(Duration.ofNanos(System.nanoTime() - lastPass), lastError, published, healed, refused);
    }
}
