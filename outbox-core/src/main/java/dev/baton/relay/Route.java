package dev.baton.relay;

import static java.util.Objects.requireNonNull;

import dev.baton.internal.Names;

/**
 * One target of a topic.
 *
 * @param sink where the event goes, usually a queue
 * @param jobName which handler runs there; not blank
 */
public record Route(Sink sink, String jobName) {

    /**
     * Checks the job name.
     *
     * @throws IllegalArgumentException if the job name is blank, has more than 200 characters or a control character
     */
    public Route {
        requireNonNull(sink, "sink");
        Names.check("Route.jobName to " + sink.name(), jobName);
    }

    /** Reads as a sentence: {@code Route.to(payments, "capture-payment")}. */
    public static Route to(Sink sink, String jobName) {
        return new Route(sink, jobName);
    }
}
