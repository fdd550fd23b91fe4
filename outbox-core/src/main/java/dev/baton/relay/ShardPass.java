package dev.baton.relay;

import dev.baton.internal.Pass;
import dev.baton.outbox.OutboxShard;
import dev.baton.outbox.OutboxShard.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final boolean watched;
    private Duration rest = FIRST_REST;
    private long verified = System.nanoTime();
    private @Nullable HandOver handOver;
    private boolean more;
    private final AtomicBoolean nudged = new AtomicBoolean();

    /**
     * @param joining makes the hand-over at the first turn, and throws as long as the database does not answer
     * @param watched whether a {@link Watch} nudges it when there is something to do, so that it need not ask itself for ever
     */
    ShardPass(OutboxShard shard, Supplier<HandOver> joining, Duration pollInterval, boolean watched) {
        this.shard = shard;
        this.joining = joining;
        this.pollInterval = pollInterval;
        this.watched = watched;
    }

    long position() {
        return shard.position();
    }

    void nudge() {
        nudged.set(true);
    }

    @Override
    public Duration run() {
        return run(result -> {});
    }

    /** @param each is told what a turn did */
    Duration run(Consumer<PassResult> each) {
        boolean hint = nudged.getAndSet(false) || more;
        more = false;
        if (!hint && !due()) {
            return idle();
        }
        PassResult result = runOnce();
        each.accept(result);
        if (result.standby()) {
            rest = shorter(rest, STANDBY_REST);
            return Watch.jittered(STANDBY_REST);
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
            protocol.failed();
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
        return !memories.certain() || (!asleep() && shard.waiting());
    }

    /** It asked often enough, and leaves it to the watch. */
    private boolean asleep() {
        return watched && rest.equals(pollInterval);
    }

    private HandOver handOver() {
        if (handOver == null) {
            handOver = joining.get();
        }
        return handOver;
    }

    /** Twice as long each time, up to the poll interval. */
    private Duration idle() {
        rest = shorter(rest.multipliedBy(2), pollInterval);
        return Watch.jittered(rest);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
