package dev.baton.examples.tickets;

import java.util.Collection;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Seats in the database, inside the caller's transaction. */
final class SeatRepository {
    // In the order of their ids, so that two bookings that want the same seats wait for each other and never in a
    // circle.
    private static final String LOCK_FREE = """
            SELECT id FROM seats WHERE id = ANY (?) AND (status = 'available' OR order_id = ?)
            ORDER BY id FOR UPDATE""";

    /**
     * Locks these seats for an order; those that it holds besides them become free.
     *
     * @return false if one of them is taken, or there is no such seat; the transaction is to be rolled back then
     */
    boolean lock(Handle transaction, Set<String> seats, long orderId) {
        Collection<String> free = transaction
                .createQuery(LOCK_FREE)
                .bind(0, seats.toArray(String[]::new))
                .bind(1, orderId)
                .mapTo(String.class)
                .set();
        if (free.size() < seats.size()) {
            return false;
        }
        release(transaction, orderId);
        transaction.execute(
                "UPDATE seats SET status = 'locked', order_id = ? WHERE id = ANY (?)",
                orderId,
                seats.toArray(String[]::new));
        return true;
    }

    /** The seats of an order become free. */
    void release(Handle transaction, long orderId) {
        transaction.execute("UPDATE seats SET status = 'available', order_id = NULL WHERE order_id = ?", orderId);
    }

    /** The seats of an order are sold. */
    void sell(Handle transaction, long orderId) {
        transaction.execute("UPDATE seats SET status = 'sold' WHERE order_id = ?", orderId);
    }

    /** Adds seats that are not there yet. */
    void add(Handle transaction, Collection<String> seats) {
        transaction.execute("INSERT INTO seats (id) SELECT unnest(CAST(? AS text[])) ON CONFLICT DO NOTHING", (Object)
                seats.toArray(String[]::new));
    }
}
