package dev.baton.examples.tickets;

import dev.baton.outbox.Topic;

/** The facts that the ticket office records. */
public enum TicketsTopic implements Topic {
    /** Seats are held for an order until a moment; payload {@link Order.Held}. */
    ORDER_HELD("order.held");

    private final String topicName;

    TicketsTopic(String topicName) {
        this.topicName = topicName;
    }

    @Override
    public String topicName() {
        return topicName;
    }
}
