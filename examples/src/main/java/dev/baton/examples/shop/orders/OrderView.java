package dev.baton.examples.shop.orders;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An order as its customer sees it.
 *
 * @param status placed or cancelled
 * @param payment authorized, captured, voiding or voided
 * @param trackingNumber of the parcel, null before it is booked
 */
public record OrderView(
        UUID id,
        String customerId,
        long amount,
        String status,
        String payment,
        @Nullable String trackingNumber) {}
