package dev.baton.relay;

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
     */
    record Rejected(String reason) implements SinkAnswer {}

    /** The sink holds it now. */
    SinkAnswer ACCEPTED = new Accepted();

    /** The sink held it already. */
    SinkAnswer DUPLICATE = new Duplicate();
}
