package dev.baton.benchmarks.outbox;

import dev.baton.outbox.Event;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import dev.baton.relay.Sink;
import java.util.List;

/** One event that cannot be mapped, and one that no queue takes. */
final class Poison {
    private static final String UNMAPPABLE = "order.unmappable";
    private static final String REFUSED = "order.refused";
    private static final String TOO_LARGE = "x".repeat(300 * 1024);

    private Poison() {}

    static List<Event> events() {
        return List.of(Event.of(UNMAPPABLE, "a", "{}"), Event.of(REFUSED, "b", "{}"));
    }

    static void route(Routes.Builder routes, Sink queue) {
        routes.route(UNMAPPABLE, Route.to(queue, "capture").payload(event -> {
                    throw new IllegalStateException("no such order");
                }))
                .route(REFUSED, Route.to(queue, "capture").payload(event -> TOO_LARGE));
    }
}
