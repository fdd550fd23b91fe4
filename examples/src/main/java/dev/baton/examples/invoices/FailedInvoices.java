package dev.baton.examples.invoices;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where dead issuances go: into the store of dead letters, and the invoice becomes failed, with one row in the audit.
 *
 * <p><b>Delivery.</b> The queue keeps a dead job until this has returned, so none is missed, whatever crashes; and it may
 * come twice. Then the invoice is no longer pending, and there is no second row. A listener of the worker would be told once
 * or never.
 */
public final class FailedInvoices implements DeadLetterStore {
    private static final Logger log = LoggerFactory.getLogger(FailedInvoices.class);

    private final Jdbi jdbi;
    private final DeadLetterStore store;
    private final InvoiceRepository invoices = new InvoiceRepository();

    /** @param store that keeps the letters */
    public FailedInvoices(Jdbi jdbi, DeadLetterStore store) {
        this.jdbi = jdbi;
        this.store = store;
    }

    @Override
    public void bury(List<DeadLetter> letters) {
        store.bury(letters);
        letters.stream()
                .filter(letter -> letter.jobName().equals(InvoiceQueues.ISSUE))
                .forEach(this::fail);
    }

    @Override
    public List<DeadLetter> open(int limit) {
        return store.open(limit);
    }

    private void fail(DeadLetter letter) {
        // The id of an issuance is that of its order; a job that was sent back keeps it as the id of its message.
        UUID orderId = UUID.fromString(letter.messageId());
        String why = letter.reason() + ": " + letter.error();
        if (jdbi.inTransaction(transaction -> invoices.markFailed(transaction, orderId, why))) {
            log.warn("invoice of order {} failed: {}", orderId, why);
        }
    }
}
