package dev.baton.examples.shop;

import dev.baton.outbox.Topic;

/** The facts that the shop records. A new one does not compile before {@link ShopRoutes} knows where it goes. */
public enum ShopTopic implements Topic {
    /** An order was placed, its payment is authorized; payload {@code Order.Placed}. */
    ORDER_PLACED("order.placed"),
    /** An order was cancelled before its payment was captured; payload {@code Order.Cancelled}. */
    ORDER_CANCELLED("order.cancelled"),
    /** The money is ours; payload {@code Payment.Captured}. */
    PAYMENT_CAPTURED("payment.captured");

    private final String topicName;

    ShopTopic(String topicName) {
        this.topicName = topicName;
    }

    @Override
    public String topicName() {
        return topicName;
    }
}
