package dev.baton.outbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The relay's side of the outbox. An implementation knows the database; the relay knows what to do with the events.
 *
 * <p><b>Threads.</b> Thread-safe.
 */
public interface OutboxStore {
    /** Into how many shards an outbox can be split. */
    int MOST_SHARDS = 256;

    /**
     * Introduces a relay, before its first pass.
     *
     * @param targets where it will hand over; those that no relay named before receive what is published from now on
     * @param shards into how many shards the outbox is split
     * @throws IllegalStateException if the outbox is split into another number of shards: two relays would hand over the
     *     same events
     */
    Joined join(Set<Target> targets, int shards);

    /**
     * The events of one shard: those with {@code Math.floorMod(aggregateId.hashCode(), shards) == shard}.
     *
     * @param topics only events of these topics are read; the others stay where they are and fill no batch
     */
    OutboxShard shard(int shard, int shards, Set<String> topics);

    /** How far the relays are behind. Cheap enough to ask each second. */
    Lag lag(Set<String> topics);

    /**
     * Deletes published events that are older than the retention, at most so many. Does nothing if another instance is at
     * it.
     *
     * @return how many were deleted
     */
    int clean(Duration retention, int limit);

    /** Refused events whose budget is spent, oldest first; each as it will be buried. */
    List<DeadEvent> dead(int limit);

    /** Takes events that are buried out of the outbox's flow, and lets those that wait behind them go. */
    void buried(List<DeadEvent> events);

    /** A topic and the name of a sink that gets it. */
    record Target(String topic, String sink) {}

    /**
     * What a relay has to know.
     *
     * @param outbox names the outbox in the memories of its sinks; never changes
     * @param since for each target the number of the batch after which it receives
     */
    record Joined(String outbox, Map<Target, Long> since) {}
}
