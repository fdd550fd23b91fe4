package dev.baton.examples.shop.orders;

import dev.baton.examples.shop.ShopTopic;
import dev.baton.outbox.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** An order and what has happened to it since it was loaded. Not thread-safe. */
public final class Order {
    private final UUID id;
    private final String customerId;
    private final long amount;
    private Status status;
    private final List<Event> pending = new ArrayList<>();

    private Order(UUID id, String customerId, long amount, Status status) {
        this.id = id;
        this.customerId = customerId;
        this.amount = amount;
        this.status = status;
    }

    /**
     * A new order, with the event that says so.
     *
     * @param amount in đồng, which have no smaller unit
     * @throws IllegalArgumentException if the amount is not positive
     */
    public static Order place(UUID id, String customerId, long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount is " + amount + "; it must be positive");
        }
        Order order = new Order(id, customerId, amount, Status.PLACED);
        order.pending.add(Event.of(ShopTopic.ORDER_PLACED, id, new Placed(id, customerId, amount)));
        return order;
    }

    /** An order as it is in the database. */
    static Order restore(UUID id, String customerId, long amount, Status status) {
        return new Order(id, customerId, amount, status);
    }

    /** Cancels it, with the event that says so; does nothing if it is cancelled already. */
    public void cancel() {
        if (status == Status.PLACED) {
            status = Status.CANCELLED;
            pending.add(Event.of(ShopTopic.ORDER_CANCELLED, id, new Cancelled(id)));
        }
    }

    /** Hands out the events not saved yet and forgets them. Only for the repository, inside its save. */
    public List<Event> pullEvents() {
        List<Event> events = List.copyOf(pending);
        pending.clear();
        return events;
    }

    /** Names the order everywhere, also at the gateway and at the carrier. */
    public UUID id() {
        return id;
    }

    /** Who ordered. */
    public String customerId() {
        return customerId;
    }

    /** In đồng. */
    public long amount() {
        return amount;
    }

    /** Where it stands. */
    public Status status() {
        return status;
    }

    /** The states of an order; see the package. */
    public enum Status {
        /** The rest follows by itself. */
        PLACED,
        /** Nothing will be captured. */
        CANCELLED
    }

    /** Payload of {@code order.placed}. */
    public record Placed(UUID orderId, String customerId, long amount) {}

    /** Payload of {@code order.cancelled}. */
    public record Cancelled(UUID orderId) {}
}
