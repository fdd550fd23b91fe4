package dev.baton.examples.tickets.demo;

import java.time.Duration;
import java.time.Instant;

/**
 * An order that expired, by the database's clock.
 *
 * @param due when its hold was over
 * @param done when its seats were free
 */
public record Release(long orderId, Instant due, Instant done) {
    /** How long after its time; negative if it was before. */
    public Duration after() {
        return Duration.between(due, done);
    }
}
