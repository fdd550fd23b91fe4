package dev.baton.relay;

import java.time.Duration;

/** What a sink says to one delivery. */
public sealed interface SinkAnswer {
    /** The sink holds it now and will not lose it. */
    record Accepted() implements SinkAnswer {}

    /** The sink held it already. As good as accepted. */
    record Duplicate() implements SinkAnswer {}

    /**
     * The sink will not take this one, though it takes others.
     *
     * @param reason for an operator; without payload data
     * @param forGood whether to try again is of no use: the event ends as a dead letter at once
     * @param delay before it may be tried again; the relay's backoff may be longer
     */
    record Rejected(String reason, boolean forGood, Duration delay) implements SinkAnswer {
        /** One that is tried again with the relay's backoff. */
        public Rejected(String reason) {
            this(reason, false, Duration.ZERO);
        }
    }

    /** The sink holds it now. */
    SinkAnswer ACCEPTED = new Accepted();

    /** The sink held it already. */
    SinkAnswer DUPLICATE = new Duplicate();
}
