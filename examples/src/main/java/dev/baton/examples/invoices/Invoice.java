package dev.baton.examples.invoices;

import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An invoice as it stands. There is one for each order.
 *
 * @param amount in đồng
 * @param taxCode the buyer's; null for a retail invoice
 * @param number the provider's; null before it is issued
 * @param retryCount how many attempts to issue it have failed
 * @param claimLeft how long the buyer may still claim it, by the database's clock; not positive if that is over
 */
public record Invoice(
        UUID orderId,
        String provider,
        Mode mode,
        long amount,
        @Nullable String taxCode,
        Status status,
        @Nullable String number,
        int retryCount,
        Duration claimLeft) {

    /** Whether it is too late for a claim. */
    public boolean claimOver() {
        return claimLeft.isNegative() || claimLeft.isZero();
    }

    /** When invoices are issued. */
    public enum Mode {
        /** As soon as they are requested. */
        REAL_TIME,
        /** By the next scheduled run. */
        SCHEDULED;

        String inDatabase() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The states of an invoice; see the package. */
    public enum Status {
        /** The buyer may still name a tax code. */
        CLAIMABLE,
        /** To be issued. */
        PENDING,
        /** It has a number. */
        ISSUED,
        /** It could not be issued. */
        FAILED,
        /** Called off. */
        CANCELLED;

        String inDatabase() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Payload of all events and jobs.
     *
     * @param provider decides how often the job is tried
     */
    public record Requested(UUID orderId, String provider) {}
}
