package dev.baton.relay;

import dev.baton.deadletter.DeadLetterStore;
import dev.baton.failure.RetryPolicy;
import dev.baton.internal.Bounds;
import dev.baton.outbox.OutboxStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link Relay}. Not thread-safe. */
public final class RelayBuilder {
    private static final int LARGEST_BATCH = 5_000;
    private static final Duration LONGEST_POLL = Duration.ofHours(1);
    private static final Duration LONGEST_GRACE = Duration.ofHours(1);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(3_650);

    final OutboxStore store;
    final Routes routes;
    int batchSize = 1_000;
    int shards = 1;
    Duration pollInterval = Duration.ofSeconds(1);
    Duration retention = Duration.ofDays(7);
    Duration grace = Duration.ofSeconds(20);
    RetryPolicy retry = RetryPolicy.DEFAULT;

    @Nullable
    DeadLetterStore deadLetters;

    RelayBuilder(OutboxStore store, Routes routes) {
        this.store = store;
        this.routes = routes;
    }

    /**
     * How many events one transaction carries; 1,000 by default. Of large events it is fewer: about 16 million characters.
     *
     * @throws IllegalArgumentException if it is not between 1 and 5,000
     */
    public RelayBuilder batchSize(int events) {
        this.batchSize = Bounds.between("batchSize", events, 1, LARGEST_BATCH);
        return this;
    }

    /**
     * Into how many shards the outbox is split, each with a thread of its own and at work in one relay at a time; 1 by
     * default, which carries tens of thousands of events per second. All relays of an outbox must have the same number.
     *
     * @throws IllegalArgumentException if it is not between 1 and 256
     */
    public RelayBuilder shards(int number) {
        this.shards = Bounds.between("shards", number, 1, OutboxStore.MOST_SHARDS);
        return this;
    }

    /**
     * How long an idle relay waits before it looks again without being nudged, at most; one second by default.
     *
     * @throws IllegalArgumentException if it is not between a millisecond and an hour
     */
    public RelayBuilder pollInterval(Duration interval) {
        Bounds.between("pollInterval", interval, Duration.ofMillis(1), LONGEST_POLL);
        this.pollInterval = interval;
        return this;
    }

    /**
     * How long published events are kept, for healing and replay; 7 days by default.
     *
     * @throws IllegalArgumentException if it is not between a minute, without which a queue that lost its data could not be
     *     healed, and 3,650 days
     */
    public RelayBuilder retention(Duration duration) {
        Bounds.between("retention", duration, Duration.ofMinutes(1), LONGEST_RETENTION);
        this.retention = duration;
        return this;
    }

    /**
     * How long {@link Relay#close} lets the batches in progress finish before it interrupts them, and abandons them a second
     * later; 20 s by default. PostgreSQL ends the transaction of a turn after 15 s, so more seldom helps.
     *
     * @throws IllegalArgumentException if it is negative or longer than an hour
     */
    public RelayBuilder grace(Duration duration) {
        Bounds.between("grace", duration, Duration.ZERO, LONGEST_GRACE);
        this.grace = duration;
        return this;
    }

    /** How often an event that a sink refuses, or that cannot be mapped, is tried; as for jobs by default. */
    public RelayBuilder retry(RetryPolicy policy) {
        this.retry = policy;
        return this;
    }

    /**
     * Where refused events end when their budget is spent, as letters of the queue {@code outbox}. Without it they stay in
     * the outbox, counted in the lag, and those behind them wait.
     */
    public RelayBuilder deadLetters(DeadLetterStore letters) {
        this.deadLetters = letters;
        return this;
    }

    /**
     * A relay without a thread, for {@link Relay#runOnce}.
     *
     * @throws IllegalArgumentException if a route's delay and retries last longer than the retention: a job that a queue
     *     lost late could not be handed over again
     */
    public Relay build() {
        routes.checkRetention(retention);
        return new Relay(this);
    }

    /**
     * A relay that runs until it is closed. The servers need not answer yet.
     *
     * @throws IllegalArgumentException as {@link #build}
     */
    public Relay start() {
        return build().start();
    }
}
