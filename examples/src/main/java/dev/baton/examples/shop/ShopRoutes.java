package dev.baton.examples.shop;

import static dev.baton.examples.shop.ShopQueues.AWARD_POINTS;
import static dev.baton.examples.shop.ShopQueues.CAPTURE_PAYMENT;
import static dev.baton.examples.shop.ShopQueues.CREATE_SHIPMENT;
import static dev.baton.examples.shop.ShopQueues.ORDER_CONFIRMATION;
import static dev.baton.examples.shop.ShopQueues.VOID_AUTHORIZATION;

import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import dev.baton.relay.Sink;
import java.util.List;
import java.util.function.Function;

/** One event, several reactions. */
public final class ShopRoutes {
    private ShopRoutes() {}

    /**
     * The shop's routes.
     *
     * @param queue finds a queue by its name
     */
    public static Routes over(Function<String, ? extends Sink> queue) {
        Sink payments = queue.apply(ShopQueues.PAYMENTS);
        Sink notifications = queue.apply(ShopQueues.NOTIFICATIONS);
        Sink shipping = queue.apply(ShopQueues.SHIPPING);
        Sink loyalty = queue.apply(ShopQueues.LOYALTY);
        return Routes.of(ShopTopic.class, topic -> switch (topic) {
            case ORDER_PLACED ->
                List.of(Route.to(payments, CAPTURE_PAYMENT), Route.to(notifications, ORDER_CONFIRMATION));
            case PAYMENT_CAPTURED -> List.of(Route.to(shipping, CREATE_SHIPMENT), Route.to(loyalty, AWARD_POINTS));
            case ORDER_CANCELLED -> List.of(Route.to(payments, VOID_AUTHORIZATION));
        });
    }
}
