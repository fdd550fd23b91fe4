package dev.baton.examples.tickets;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * An order as it stands.
 *
 * @param expiresAt until when its seats are held, by the database's clock
 * @param left how long that is from now on, by the same clock; not positive if it is over
 * @param seats that it holds or has bought
 */
public record Order(long id, String customerId, Status status, Instant expiresAt, Duration left, List<String> seats) {
    /** Whether its hold is over. */
    public boolean expired() {
        return left.isNegative() || left.isZero();
    }

    /** The states of an order; see the package. */
    public enum Status {
        /** Its seats are locked. */
        PENDING,
        /** Its seats are sold. */
        PAID,
        /** Its seats are free again. */
        CANCELLED
    }

    /**
     * Payload of {@code order.held} and of the job that it becomes: the id and nothing else. What is true when the job
     * starts, ten minutes later, is in the database.
     */
    public record Held(long orderId) {}
}
