package dev.baton.examples.shop.orders;

import dev.baton.examples.shop.payments.PaymentGateway;
import dev.baton.examples.shop.payments.PaymentRepository;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a customer can do. Each change is one transaction, and what follows from it is left to jobs. */
public final class OrdersService {
    private static final Logger log = LoggerFactory.getLogger(OrdersService.class);

    private static final String VIEW = """
        SELECT o.id, o.customer_id, o.amount, o.status, p.status AS payment, s.tracking_number
        FROM orders o JOIN payments p ON p.order_id = o.id LEFT JOIN shipments s ON s.order_id = o.id
        WHERE o.id = ?\
        """;

    private final Jdbi jdbi;
    private final OrderRepository orders;
    private final PaymentRepository payments;
    private final PaymentGateway gateway;

    /** A service on these. */
    public OrdersService(Jdbi jdbi, OrderRepository orders, PaymentRepository payments, PaymentGateway gateway) {
        this.jdbi = jdbi;
        this.orders = orders;
        this.payments = payments;
        this.gateway = gateway;
    }

    /**
     * Reserves the money, then records the order, its payment and the event in one transaction. No queue is touched:
     * the relay does that, from the event.
     *
     * <p><b>Delivery.</b> A crash before the commit leaves nothing of ours, and at the gateway a reservation that
     * expires by itself. After the commit the order is captured, shipped and so on, whatever crashes.
     */
    public Order place(String customerId, long amount) throws IOException, InterruptedException {
        Order order = Order.place(UUID.randomUUID(), customerId, amount);
        String authorizationId = gateway.authorize(order.id(), amount);
        jdbi.useTransaction(transaction -> {
            orders.save(transaction, order);
            payments.insertAuthorized(transaction, order.id(), authorizationId, customerId, amount);
        });
        log.info("order {} placed", order.id());
        return order;
    }

    /** Calls an order off, unless its payment is captured already; then a person has to decide on a refund. */
    public Cancellation cancel(UUID orderId) {
        return jdbi.inTransaction(transaction -> {
            Order order = orders.findForUpdate(transaction, orderId).orElse(null);
            if (order == null) {
                return Cancellation.UNKNOWN_ORDER;
            }
            if (order.status() == Order.Status.PLACED) {
                if (!payments.markVoiding(transaction, orderId)) {
                    return Cancellation.TOO_LATE;
                }
                order.cancel();
                orders.save(transaction, order);
                log.info("order {} cancelled", orderId);
            }
            return Cancellation.CANCELLED;
        });
    }

    /** The order as it stands now. */
    public Optional<OrderView> find(UUID orderId) {
        return jdbi.withHandle(handle -> handle.createQuery(VIEW)
                .bind(0, orderId)
                .map((row, context) -> new OrderView(
                        orderId,
                        row.getString("customer_id"),
                        row.getLong("amount"),
                        row.getString("status"),
                        row.getString("payment"),
                        row.getString("tracking_number")))
                .findOne());
    }

    /** What became of a wish to cancel. */
    public enum Cancellation {
        /** It is cancelled, now or before. */
        CANCELLED,
        /** The money is taken. */
        TOO_LATE,
        /** There is no such order. */
        UNKNOWN_ORDER
    }
}
