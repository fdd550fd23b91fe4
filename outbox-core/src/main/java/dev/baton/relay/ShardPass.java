package dev.baton.relay;

import dev.baton.internal.Pass;
import dev.baton.outbox.OutboxShard;
import dev.baton.outbox.OutboxShard.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One turn of one shard, if there is anything to do, and how long to rest after it. */
final class ShardPass implements Pass {
    private static final Duration FIRST_REST = Duration.ofMillis(10);
    private static final Duration STANDBY_REST = Duration.ofMillis(200);
    private static final long VERIFY_EVERY_NANOS = Duration.ofSeconds(5).toNanos();

    private final OutboxShard shard;
    private final Supplier<HandOver> joining;
    private final Duration pollInterval;
    private Duration rest = FIRST_REST;
    private long verified = System.nanoTime();
    private @Nullable HandOver handOver;
    private boolean more;
    private volatile boolean nudged;

    /** @param joining makes the hand-over at the first turn, and throws as long as the database does not answer */
    ShardPass(OutboxShard shard, Supplier<HandOver> joining, Duration pollInterval) {
        this.shard = shard;
        this.joining = joining;
        this.pollInterval = pollInterval;
    }

    long position() {
        return shard.position();
    }

    void nudge() {
        nudged = true;
    }

    @Override
    public Duration run() {
        return run(result -> {});
    }

    /** @param each is told what a turn did */
    Duration run(Consumer<PassResult> each) {
        boolean hint = nudged || more;
        nudged = false;
        more = false;
        if (!hint && !due()) {
            return idle();
        }
        PassResult result = runOnce();
        each.accept(result);
        if (result.standby()) {
            return jittered(STANDBY_REST);
        } else if (result.more()) {
            more = true;
            return Duration.ZERO;
        } else if (result.published() == 0) {
            return idle();
        }
        rest = FIRST_REST;
        return rest;
    }

    /** One turn, whether there seems to be something to do or not. */
    synchronized PassResult runOnce() {
        HandOver protocol = handOver();
        try {
            Optional<Turn> turn = shard.turn();
            if (turn.isEmpty()) {
                protocol.memories().forget();
                return PassResult.STANDBY;
            }
            try (Turn open = turn.get()) {
                return protocol.run(open);
            }
        } catch (RuntimeException | Error e) {
            // What the sinks and the database have now is unknown: the next turn asks them.
            protocol.memories().forget();
            throw e;
        }
    }

    /** A queue that lost its data while nothing is written is found by asking it from time to time. */
    private synchronized boolean due() {
        Memories memories = handOver().memories();
        if (memories.certain() && System.nanoTime() - verified > VERIFY_EVERY_NANOS) {
            memories.verify();
            verified = System.nanoTime();
        }
        return !memories.certain() || shard.waiting();
    }

    private HandOver handOver() {
        if (handOver == null) {
            handOver = joining.get();
        }
        return handOver;
    }

    /** Twice as long each time, up to the poll interval. */
    private Duration idle() {
        Duration doubled = rest.multipliedBy(2);
        rest = doubled.compareTo(pollInterval) < 0 ? doubled : pollInterval;
        return jittered(rest);
    }

    /** Up to a fifth longer, so that many relays do not ask in step. */
    private static Duration jittered(Duration duration) {
        return duration.plusMillis(ThreadLocalRandom.current().nextLong(duration.toMillis() / 5 + 1));
    }
}
