package dev.baton.examples.invoices.demo;

import org.jspecify.annotations.Nullable;

/**
 * What a shop asks for; the body of its request.
 *
 * @param taxCode the buyer's; null for a retail invoice
 * @param claimable whether the buyer is given time to name the tax code
 */
public record Wish(
        String orderId,
        String provider,
        String mode,
        long amount,
        @Nullable String taxCode,
        boolean claimable) {}
