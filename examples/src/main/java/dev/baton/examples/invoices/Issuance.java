package dev.baton.examples.invoices;

import dev.baton.examples.invoices.Invoice.Status;
import dev.baton.failure.PermanentException;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What jobs do at the provider. All jobs of an order have its id as their ordering key, so no two of them run at a time:
 * that is what makes it safe to look for an invoice first and to issue it then.
 */
public final class Issuance {
    private static final Logger log = LoggerFactory.getLogger(Issuance.class);

    private final Jdbi jdbi;
    private final InvoiceProvider provider;
    private final InvoiceRepository invoices = new InvoiceRepository();

    /** An issuance at this provider. */
    public Issuance(Jdbi jdbi, InvoiceProvider provider) {
        this.jdbi = jdbi;
        this.provider = provider;
    }

    /**
     * Issues the invoice of an order, unless that is done, has failed or is not wanted any more.
     *
     * <p><b>Delivery.</b> A crash after the call leaves an invoice at the provider that we have no record of; the next run
     * finds it by its reference.
     *
     * @param attempt the first one is 1
     * @throws PermanentException if the provider refuses it
     */
    public void issue(UUID orderId, int attempt) throws IOException, InterruptedException {
        Invoice invoice = find(orderId);
        if (invoice.status() != Status.PENDING) {
            return;
        }
        jdbi.useHandle(handle -> invoices.retryCount(handle, orderId, attempt - 1));
        // Search before issuing: an earlier run may have issued and lost the answer, or died before its record.
        Optional<String> issued = provider.findByReference(orderId);
        String number = issued.isPresent()
                ? issued.get()
                : provider.issue(invoice.provider(), orderId, invoice.amount(), invoice.taxCode());
        if (jdbi.withHandle(handle -> invoices.markIssued(handle, orderId, number))) {
            log.info("invoice of order {} {}", orderId, issued.isPresent() ? "found again" : "issued");
        }
    }

    /**
     * Cancels the invoice of an order. It runs behind the issuance, whatever became of that.
     *
     * <p><b>Delivery.</b> A crash after the call leaves it cancelled at the provider; the next run does the same again.
     */
    public void cancel(UUID orderId) throws IOException, InterruptedException {
        find(orderId);
        // Also of an invoice that failed: it may be that only the answers were lost.
        if (provider.findByReference(orderId).isPresent()) {
            provider.cancel(orderId);
        }
        jdbi.useHandle(handle -> invoices.markCancelled(handle, orderId));
        log.info("invoice of order {} cancelled", orderId);
    }

    private Invoice find(UUID orderId) {
        return jdbi.withHandle(handle -> invoices.find(handle, orderId))
                .orElseThrow(() -> new PermanentException("there is no invoice for order " + orderId));
    }
}
