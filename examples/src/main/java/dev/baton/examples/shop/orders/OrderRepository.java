package dev.baton.examples.shop.orders;

import dev.baton.outbox.OutboxWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Orders in the database. It works inside the caller's transaction, because more belongs into it than the order. */
public final class OrderRepository {
    private static final String UPSERT = """
        INSERT INTO orders (id, customer_id, amount, status) VALUES (:id, :customerId, :amount, :status)
        ON CONFLICT (id) DO UPDATE SET status = excluded.status\
        """;

    private final OutboxWriter<Handle> outbox;

    /** @param outbox where the events of saved orders go */
    public OrderRepository(OutboxWriter<Handle> outbox) {
        this.outbox = outbox;
    }

    /**
     * Writes the order and its events.
     *
     * <p><b>Delivery.</b> Both exist once the transaction commits; after a crash before that, neither does.
     */
    public void save(Handle transaction, Order order) {
        transaction
                .createUpdate(UPSERT)
                .bind("id", order.id())
                .bind("customerId", order.customerId())
                .bind("amount", order.amount())
                .bind("status", order.status().name().toLowerCase(Locale.ROOT))
                .execute();
        outbox.write(transaction, order.pullEvents());
    }

    /** The order, locked until the transaction ends, so that nobody changes it meanwhile. */
    public Optional<Order> findForUpdate(Handle transaction, UUID id) {
        return transaction
                .createQuery("SELECT customer_id, amount, status FROM orders WHERE id = ? FOR UPDATE")
                .bind(0, id)
                .map((row, context) -> Order.restore(
                        id,
                        row.getString("customer_id"),
                        row.getLong("amount"),
                        Order.Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT))))
                .findOne();
    }
}
