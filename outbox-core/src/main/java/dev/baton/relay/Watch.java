package dev.baton.relay;

import dev.baton.internal.Pass;
import dev.baton.outbox.OutboxShard;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Asks for all shards at once whether there may be something to do, so that an idle relay asks as seldom with many shards as
 * with one.
 */
final class Watch implements Pass {
    private final OutboxShard everything;
    private final Runnable nudge;
    private final Duration pollInterval;

    /**
     * @param everything the outbox as a single shard
     * @param nudge wakes all shards
     */
    Watch(OutboxShard everything, Runnable nudge, Duration pollInterval) {
        this.everything = everything;
        this.nudge = nudge;
        this.pollInterval = pollInterval;
    }

    @Override
    public Duration run() {
        if (everything.waiting()) {
            nudge.run();
        }
        return jittered(pollInterval);
    }

    /** Up to a fifth longer, so that many relays do not ask in step. */
    static Duration jittered(Duration duration) {
        return duration.plusMillis(ThreadLocalRandom.current().nextLong(duration.toMillis() / 5 + 1));
    }
}
