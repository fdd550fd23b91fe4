package dev.baton.examples.shop.payments;

import org.jspecify.annotations.Nullable;

/**
 * A reservation as the gateway knows it.
 *
 * @param captureId null unless it is captured
 */
public record Authorization(Status status, @Nullable String captureId) {
    /** The states at the gateway. */
    public enum Status {
        /** The money is reserved. */
        AUTHORIZED,
        /** The money is taken. */
        CAPTURED,
        /** We gave it back. */
        VOIDED,
        /** It was reserved for too long. */
        EXPIRED
    }
}
