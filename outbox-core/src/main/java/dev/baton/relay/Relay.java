package dev.baton.relay;

import dev.baton.internal.Loop;
import dev.baton.outbox.OutboxStore;
import dev.baton.outbox.OutboxStore.PassResult;
import java.time.Duration;

/**
 * Carries committed events from the outbox to their sinks, in the order in which they were written.
 *
 * <p>Any number of relays may run on one database: one works, the others stand by and take the very next pass if it
 * dies. A relay that cannot reach the database or a sink keeps trying and resumes by itself.
 *
 * <p><b>Delivery.</b> Every committed event reaches every sink of its topic at least once; a job queue recognises the
 * repeat of a job that is still alive by its id, which is the event's.
 *
 * <p><b>Threads.</b> One daemon thread of its own. All methods may be called from any thread.
 */
public final class Relay implements AutoCloseable {
    private final HandOverPass pass;
    private final Loop loop;

    private Relay(Builder builder) {
        this.pass = new HandOverPass(builder.store, builder.routes, builder.batchSize, builder.pollInterval);
        this.loop = new Loop("baton-relay", pass);
    }

    /** A relay between this store and these routes. */
    public static Builder builder(OutboxStore store, Routes routes) {
        return new Builder(store, routes);
    }

    /**
     * Tells the relay that something was committed, so that it need not wait for its next poll. Only a hint: a lost one
     * costs one poll. Never blocks, never throws.
     */
    public void nudge() {
        loop.nudge();
    }

    /** One pass in the caller's thread; useful in tests and for draining before an upgrade. */
    public PassResult runOnce() {
        return pass.runOnce();
    }

    /** Lets the batch in progress finish, then stops. What is not published waits for the next relay. */
    @Override
    public void close() {
        loop.close();
    }

    /** Settings of a relay. Not thread-safe. */
    public static final class Builder {
        private static final int LARGEST_BATCH = 5_000;

        private final OutboxStore store;
        private final Routes routes;
        private int batchSize = 500;
        private Duration pollInterval = Duration.ofSeconds(1);

        private Builder(OutboxStore store, Routes routes) {
            this.store = store;
            this.routes = routes;
        }

        /**
         * How many events one transaction carries; 500 by default.
         *
         * @throws IllegalArgumentException if it is not between 1 and 5,000
         */
        public Builder batchSize(int events) {
            if (events < 1 || events > LARGEST_BATCH) {
                throw new IllegalArgumentException(
                        "batchSize is " + events + "; it must be between 1 and " + LARGEST_BATCH);
            }
            this.batchSize = events;
            return this;
        }

        /**
         * How long an idle relay waits before it looks again without being nudged; one second by default.
         *
         * @throws IllegalArgumentException if it is shorter than a millisecond
         */
        public Builder pollInterval(Duration interval) {
            if (interval.toMillis() < 1) {
                throw new IllegalArgumentException("pollInterval is " + interval + "; it must be at least PT0.001S");
            }
            this.pollInterval = interval;
            return this;
        }

        /** A relay without a thread, for {@link Relay#runOnce}. */
        public Relay build() {
            return new Relay(this);
        }

        /** A relay that runs until it is closed. */
        public Relay start() {
            Relay relay = build();
            relay.loop.start();
            return relay;
        }
    }
}
