package dev.baton.relay;

import dev.baton.internal.FailureLog;
import dev.baton.internal.Loop;
import dev.baton.internal.Pass;
import dev.baton.outbox.Lag;
import dev.baton.outbox.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries committed events from the outbox to their sinks, in the order in which they were written.
 *
 * <p>Any number of relays may run on one database: one works (or one per shard), the others stand by and take over as soon as
 * it dies. A relay that cannot reach the database or a sink keeps trying and resumes by itself.
 *
 * <p><b>Delivery.</b> Every committed event reaches every sink of its topic. A queue gets it exactly once, however often relays
 * crash, as long as it keeps its data; what it lost it gets again, as far as the outbox still has it. Any other sink gets it
 * at least once.
 *
 * <p><b>Threads.</b> One daemon thread per shard, at times a second one that marks a large batch while the sinks take it, one to
 * delete old events and one to bury refused ones; of several shards one more, which asks for all of them while they are idle.
 * All methods may be called from any thread. A pass uses one connection, whatever the sinks do meanwhile; a pool of two is enough for one shard.
 */
public final class Relay implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Relay.class);
    private static final Duration STAND_ASIDE = Duration.ofSeconds(1);
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

    private final OutboxStore store;
    private final Routes routes;
    private final Tally tally;
    private final List<ShardPass> shards = new ArrayList<>();
    private final List<Loop> shardLoops = new ArrayList<>();
    private final List<Loop> loops = new ArrayList<>();
    private final Runnable refused;
    private final LagMeter lag;
    private final Duration grace;

    Relay(RelayBuilder builder) {
        this.store = builder.store;
        this.routes = builder.routes;
        this.grace = builder.grace;
        this.tally = new Tally(builder.shards);
        this.lag = new LagMeter(() -> store.lag(routes.topics()));
        FailureLog failures = new FailureLog();
        Membership membership = new Membership(builder);
        for (int i = 0; i < builder.shards; i++) {
            ShardPass pass = membership.pass(i);
            shards.add(pass);
            shardLoops.add(
                    new Loop(builder.shards == 1 ? "baton-relay" : "baton-relay-" + i, counted(i, pass), failures));
        }
        loops.addAll(shardLoops);
        if (builder.shards > 1) {
            Watch watch = new Watch(store.shard(0, 1, routes.topics()), this::nudge, builder.pollInterval);
            loops.add(new Loop("baton-relay-watch", beside("watching", watch), failures));
        }
        loops.add(new Loop("baton-relay-clean", beside("cleaning", new CleanPass(store, builder.retention)), failures));
        if (builder.deadLetters == null) {
            this.refused = () -> {};
        } else {
            Pass bury = new BuryEventsPass(store, builder.deadLetters, builder.retry.attempts());
            Loop loop = new Loop("baton-relay-bury", beside("burying", bury), failures);
            loops.add(loop);
            this.refused = loop::nudge;
        }
    }

    /** A relay between this store and these routes. */
    public static RelayBuilder builder(OutboxStore store, Routes routes) {
        return new RelayBuilder(store, routes);
    }

    /**
     * Tells the relay that something was committed, so that it need not wait for its next poll. Only a hint: a lost one
     * costs one poll. Never blocks, never throws.
     */
    public void nudge() {
        shards.forEach(ShardPass::nudge);
        shardLoops.forEach(Loop::nudge);
    }

    /** One pass of each shard in the caller's thread; useful in tests and for draining before an upgrade. */
    public PassResult runOnce() {
        PassResult sum = PassResult.STANDBY;
        for (int i = 0; i < shards.size(); i++) {
            PassResult result = shards.get(i).runOnce();
            tally.add(result);
            tally.succeeded(i);
            sum = sum.plus(result);
        }
        return sum;
    }

    /**
     * How far the outbox is behind, and what waits there for another relay. Cheap enough to ask each second: an answer that took
     * the database longer than 50 ms, such as while an old snapshot keeps it from forgetting what was published, is given again
     * for twenty times as long as it took.
     *
     * @throws RuntimeException if the database does not answer within 15 s
     */
    public Lag lag() {
        return lag.get();
    }

    /** How this relay is. */
    public RelayStatus status() {
        return tally.status(shards.stream().mapToLong(ShardPass::position).min().orElse(0));
    }

    /**
     * Lets the batches in progress finish, then stops. What is not published waits for the next relay.
     *
     * <p>Waits for the {@linkplain RelayBuilder#grace grace} at most. A batch that is not finished by then is interrupted, and,
     * if its sink does not heed that, abandoned with its thread: PostgreSQL ends the transaction, and another relay takes the
     * batch over.
     */
    @Override
    public void close() {
        loops.forEach(Loop::stop);
        if (closed(grace)) {
            return;
        }
        loops.forEach(Loop::interrupt);
        if (!closed(AFTER_INTERRUPT)) {
            log.warn(
                    "a sink or the database has not answered for {}; the batch is abandoned, another relay takes it over when"
                            + " PostgreSQL has ended its transaction",
                    grace);
        }
    }

    private boolean closed(Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        boolean closed = true;
        for (Loop loop : loops) {
            closed &= loop.close(Duration.ofNanos(deadline - System.nanoTime()));
        }
        return closed;
    }

    Relay start() {
        loops.forEach(Loop::start);
        return this;
    }

    private void count(PassResult result) {
        tally.add(result);
        if (result.refused() > 0) {
            refused.run();
        }
    }

    private Pass counted(int shard, ShardPass pass) {
        return () -> {
            try {
                Duration rest = pass.run(this::count);
                tally.succeeded(shard);
                return rest;
            } catch (RuntimeException | Error e) {
                tally.failed(shard, e);
                throw e;
            }
        };
    }

    /** While a server is away it is the shards that find out when it is back: one of them asks. */
    private Pass beside(String duty, Pass pass) {
        return () -> {
            if (tally.nothingGoes()) {
                return STAND_ASIDE;
            }
            try {
                Duration rest = pass.run();
                tally.succeeded(duty);
                return rest;
            } catch (RuntimeException | Error e) {
                tally.failed(duty, e);
                throw e;
            }
        };
    }
}
