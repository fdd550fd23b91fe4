package dev.baton.examples.invoices;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The port behind which a provider of invoices sits. It takes no idempotency key: asked twice, it issues two invoices, and
 * both are taxed. But it can be asked what it has issued for a reference.
 */
public interface InvoiceProvider {
    /**
     * The invoice with this reference.
     *
     * @return its number
     */
    Optional<String> findByReference(UUID reference) throws IOException, InterruptedException;

    /**
     * Issues an invoice.
     *
     * @param reference of ours, to find it again
     * @param taxCode the buyer's; null for a retail invoice
     * @return its number
     */
    String issue(String provider, UUID reference, long amount, @Nullable String taxCode)
            throws IOException, InterruptedException;

    /** Cancels what was issued under this reference; once or several times is the same. */
    void cancel(UUID reference) throws IOException, InterruptedException;
}
