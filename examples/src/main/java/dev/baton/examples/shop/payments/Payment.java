package dev.baton.examples.shop.payments;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The money behind an order, as we know it.
 *
 * @param amount in đồng
 * @param captureId the gateway's, null unless it is captured
 */
public record Payment(
        UUID orderId,
        String customerId,
        long amount,
        String authorizationId,
        Status status,
        @Nullable String captureId) {

    /** The states of a payment; see the package. */
    public enum Status {
        /** Reserved. */
        AUTHORIZED,
        /** Taken. */
        CAPTURED,
        /** To be given back. */
        VOIDING,
        /** Given back. */
        VOIDED
    }

    /** Payload of {@code payment.captured}. */
    public record Captured(UUID orderId, String customerId, long amount) {}
}
