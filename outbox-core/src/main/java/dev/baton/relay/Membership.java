package dev.baton.relay;

import dev.baton.outbox.OutboxStore;
import dev.baton.outbox.OutboxStore.Joined;
import dev.baton.outbox.OutboxStore.Target;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Introduces the relay to the store before the first turn, as soon as the database answers; once for all shards. */
final class Membership {
    private final RelayBuilder relay;
    private final Sorter sorter;
    private final Executor threads = Marking.threads();
    private @Nullable Joined joined;

    Membership(RelayBuilder relay) {
        this.relay = relay;
        this.sorter = new Sorter(relay.routes, relay.retry);
    }

    ShardPass pass(int shard) {
        return new ShardPass(
                relay.store.shard(shard, relay.shards, relay.routes.topics()),
                () -> handOver(shard, joined()),
                relay.pollInterval,
                relay.shards > 1);
    }

    private HandOver handOver(int shard, Joined known) {
        Memories memories = new Memories(owner(known, shard), relay.routes.sinks());
        return new HandOver(relay.routes, sorter, known, memories, relay.batchSize, threads);
    }

    /** The number of shards is part of it: another split would find the wrong batches. */
    private String owner(Joined known, int shard) {
        return known.outbox() + ":" + shard + ":" + relay.shards;
    }

    private synchronized Joined joined() {
        if (joined == null) {
            Set<Target> targets = new LinkedHashSet<>();
            for (String topic : relay.routes.topics()) {
                relay.routes
                        .of(topic)
                        .forEach(route ->
                                targets.add(new Target(topic, route.sink().name())));
            }
            OutboxStore store = relay.store;
            joined = store.join(targets, relay.shards);
        }
        return joined;
    }
}
