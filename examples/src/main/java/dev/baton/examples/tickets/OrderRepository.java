package dev.baton.examples.tickets;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Orders in the database, inside the caller's transaction. All times are those of the database's clock. */
final class OrderRepository {
    // Not now(): that is when the transaction began, and a wait for a lock may lie in between.
    private static final String NOW = "clock_timestamp()";

    private static final String FIND =
            "SELECT o.*, ceil(extract(epoch FROM o.expires_at - " + NOW + ") * 1000)::bigint AS left_ms,"
                    + " ARRAY(SELECT s.id FROM seats s WHERE s.order_id = o.id ORDER BY s.id) AS seats"
                    + " FROM orders o WHERE o.id = ?";

    private static final String OPEN = "INSERT INTO orders (customer_id, status, expires_at)"
            + " VALUES (?, 'pending', " + NOW + " + ? * interval '1 ms') RETURNING id, expires_at";

    private static final String EXTEND =
            "UPDATE orders SET expires_at = " + NOW + " + ? * interval '1 ms' WHERE id = ? RETURNING id, expires_at";

    private static final String CLOSE =
            "UPDATE orders SET status = ?, closed_at = " + NOW + ", expired = ? WHERE id = ?";

    /** An order that is known by its id and by when its hold ends. */
    record Hold(long orderId, Instant expiresAt) {}

    /** A new order whose hold begins now. */
    Hold open(Handle transaction, String customerId, Duration hold) {
        return transaction
                .createQuery(OPEN)
                .bind(0, customerId)
                .bind(1, hold.toMillis())
                .map((row, context) -> hold(row))
                .one();
    }

    /** The hold of an order begins anew. */
    Hold extend(Handle transaction, long orderId, Duration hold) {
        return transaction
                .createQuery(EXTEND)
                .bind(0, hold.toMillis())
                .bind(1, orderId)
                .map((row, context) -> hold(row))
                .one();
    }

    /** The order as it stands. */
    Optional<Order> find(Handle handle, long orderId) {
        return handle.createQuery(FIND)
                .bind(0, orderId)
                .map((row, context) -> order(row))
                .findOne();
    }

    /** The order, locked until the transaction ends, so that nobody changes it meanwhile. */
    Optional<Order> findForUpdate(Handle transaction, long orderId) {
        // Two statements: the second one sees what was committed while the first one waited for the lock.
        transaction.execute("SELECT FROM orders WHERE id = ? FOR UPDATE", orderId);
        return find(transaction, orderId);
    }

    void pay(Handle transaction, long orderId) {
        transaction.execute(CLOSE, "paid", false, orderId);
    }

    /** @param expired whether its hold was over; else its customer wanted it */
    void cancel(Handle transaction, long orderId, boolean expired) {
        transaction.execute(CLOSE, "cancelled", expired, orderId);
    }

    void delete(Handle transaction, long orderId) {
        transaction.execute("DELETE FROM orders WHERE id = ?", orderId);
    }

    private static Hold hold(ResultSet row) throws SQLException {
        return new Hold(row.getLong("id"), time(row));
    }

    private static Order order(ResultSet row) throws SQLException {
        return new Order(
                row.getLong("id"),
                row.getString("customer_id"),
                Order.Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                time(row),
                Duration.ofMillis(row.getLong("left_ms")),
                List.of((String[]) row.getArray("seats").getArray()));
    }

    private static Instant time(ResultSet row) throws SQLException {
        return row.getObject("expires_at", OffsetDateTime.class).toInstant();
    }
}
