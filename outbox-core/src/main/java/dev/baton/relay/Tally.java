package dev.baton.relay;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what the passes of a relay do, and knows which of them fail. Thread-safe. */
final class Tally {
    private final long[] lastTurns;
    private final boolean[] going;
    private final Map<String, String> errors = new LinkedHashMap<>();
    private long published;
    private long healed;
    private long refused;

    Tally(int shards) {
        this.lastTurns = new long[shards];
        this.going = new boolean[shards];
        Arrays.fill(lastTurns, System.nanoTime());
    }

    synchronized void add(PassResult result) {
        published += result.published();
        healed += result.healed();
        refused += result.refused();
    }

    synchronized void succeeded(int shard) {
        lastTurns[shard] = System.nanoTime();
        going[shard] = true;
        errors.remove(shardName(shard));
    }

    synchronized void failed(int shard, Throwable error) {
        going[shard] = false;
        failed(shardName(shard), error);
    }

    /** Of what a relay does beside its shards. */
    synchronized void succeeded(String duty) {
        errors.remove(duty);
    }

    synchronized void failed(String duty, Throwable error) {
        // The newest is the last one.
        errors.remove(duty);
        errors.put(duty, duty + ": " + error.getClass().getName() + ": " + error.getMessage());
    }

    /** Whether no shard gets anywhere: a server is away, or nobody knows yet. */
    synchronized boolean nothingGoes() {
        for (boolean goes : going) {
            if (goes) {
                return false;
            }
        }
        return true;
    }

    synchronized RelayStatus status(long position) {
        long now = System.nanoTime();
        long longestAgo = Arrays.stream(lastTurns).map(turn -> now - turn).max().orElse(0);
        return new RelayStatus(Duration.ofNanos(longestAgo), newestError(), published, healed, refused, position);
    }

    private @Nullable String newestError() {
        return errors.values().stream().reduce((older, newer) -> newer).orElse(null);
    }

    private static String shardName(int shard) {
        return "shard " + shard;
    }
}
