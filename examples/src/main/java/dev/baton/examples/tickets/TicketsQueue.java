package dev.baton.examples.tickets;

import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import dev.baton.relay.Sink;
import java.time.Duration;
import java.util.List;

/** The one queue, the one kind of job in it, how it gets there and how often it is tried. */
public final class TicketsQueue {
    /** Where jobs wait for the end of a hold. */
    public static final String RELEASE = "release";
    /** Frees the seats of an order that was not paid. */
    public static final String RELEASE_ORDER = "release-order";

    private static final int ATTEMPTS = 4;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

    private TicketsQueue() {}

    /** A topic without a route does not compile. */
    public static Routes routes(Sink release) {
        return Routes.of(TicketsTopic.class, topic -> switch (topic) {
            case ORDER_HELD -> List.of(Route.to(release, RELEASE_ORDER));
        });
    }

    /**
     * Three more attempts, ten seconds apart; then a dead letter.
     *
     * @param factor by which the ten seconds are multiplied
     */
    public static RetryPolicy retry(double factor) {
        Duration wait = Duration.ofMillis(Math.round(RETRY_AFTER.toMillis() * factor));
        return RetryPolicy.DEFAULT.withAttempts(ATTEMPTS).withBackoff(Backoff.fixed(wait));
    }
}
