package dev.baton.examples.shop.payments;

import dev.baton.examples.shop.ShopTopic;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Payments in the database, each change as a compare-and-set inside the caller's transaction. */
public final class PaymentRepository {
    private final OutboxWriter<Handle> outbox;

    /** @param outbox where {@code payment.captured} goes */
    public PaymentRepository(OutboxWriter<Handle> outbox) {
        this.outbox = outbox;
    }

    /** A new payment, reserved at the gateway. */
    public void insertAuthorized(
            Handle transaction, UUID orderId, String authorizationId, String customerId, long amount) {
        transaction.execute(
                "INSERT INTO payments (order_id, authorization_id, customer_id, amount, status)"
                        + " VALUES (?, ?, ?, ?, 'authorized')",
                orderId,
                authorizationId,
                customerId,
                amount);
    }

    /** The payment of an order. */
    public Optional<Payment> find(Handle handle, UUID orderId) {
        return handle.createQuery("SELECT * FROM payments WHERE order_id = ?")
                .bind(0, orderId)
                .map((row, context) -> payment(row))
                .findOne();
    }

    /**
     * Authorized to captured, with the event. Of two runs at the same time one changes the row, and only that one
     * writes the event; the other waits for its commit and then finds nothing to change.
     *
     * @return false if another run was first, or the order was cancelled meanwhile
     */
    public boolean markCaptured(Handle transaction, Payment payment, String captureId) {
        int changed = transaction.execute(
                "UPDATE payments SET status = 'captured', capture_id = ?, captured_at = now()"
                        + " WHERE order_id = ? AND status = 'authorized'",
                captureId,
                payment.orderId());
        if (changed == 1) {
            Payment.Captured fact = new Payment.Captured(payment.orderId(), payment.customerId(), payment.amount());
            outbox.write(transaction, Event.of(ShopTopic.PAYMENT_CAPTURED, payment.orderId(), fact));
        }
        return changed == 1;
    }

    /** Authorized to voiding; false if it was something else. */
    public boolean markVoiding(Handle transaction, UUID orderId) {
        return change(transaction, orderId, "authorized", "voiding");
    }

    /** Voiding to voided; false if it was something else. */
    public boolean markVoided(Handle transaction, UUID orderId) {
        return change(transaction, orderId, "voiding", "voided");
    }

    private static boolean change(Handle transaction, UUID orderId, String from, String to) {
        return transaction.execute(
                        "UPDATE payments SET status = ? WHERE order_id = ? AND status = ?", to, orderId, from)
                == 1;
    }

    private static Payment payment(ResultSet row) throws SQLException {
        return new Payment(
                row.getObject("order_id", UUID.class),
                row.getString("customer_id"),
                row.getLong("amount"),
                row.getString("authorization_id"),
                Payment.Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                row.getString("capture_id"));
    }
}
