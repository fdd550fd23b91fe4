package dev.baton.examples.invoices;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.examples.invoices.Invoice.Mode;
import dev.baton.examples.invoices.Invoice.Status;
import dev.baton.failure.RetryLaterException;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is asked of the invoice service. Each change is one transaction, and no call to a provider is made in it. */
public final class InvoiceDesk {
    private static final Logger log = LoggerFactory.getLogger(InvoiceDesk.class);

    private final Jdbi jdbi;
    private final OutboxWriter<Handle> outbox;
    private final Duration claimTime;
    private final InvoiceRepository invoices = new InvoiceRepository();

    /** @param claimTime how long a buyer may claim an invoice */
    public InvoiceDesk(Jdbi jdbi, OutboxWriter<Handle> outbox, Duration claimTime) {
        this.jdbi = jdbi;
        this.outbox = outbox;
        this.claimTime = claimTime;
    }

    /**
     * Asks for the invoice of an order. A repeat of a request changes nothing.
     *
     * <p><b>Delivery.</b> Invoice and event are one transaction. In {@link Mode#SCHEDULED} there is no event: the row itself
     * is what the schedule looks for.
     *
     * @param taxCode the buyer's; null for a retail invoice
     * @param claimable whether the buyer is given time to name the tax code
     * @return false if it was requested before
     */
    public boolean request(
            UUID orderId, String provider, Mode mode, long amount, @Nullable String taxCode, boolean claimable) {
        Duration claim = claimable ? claimTime : Duration.ZERO;
        return jdbi.inTransaction(transaction -> {
            if (!invoices.insert(transaction, orderId, provider, mode, amount, taxCode, claim)) {
                return false;
            }
            if (claimable) {
                // No polling for claims that are over: the event's job starts when this one is.
                outbox.write(
                        transaction,
                        event(InvoiceTopic.CLAIM_OPENED, orderId, provider)
                                .notBefore(invoices.claimUntil(transaction, orderId)));
            } else {
                issueSoon(transaction, orderId, provider, mode);
            }
            return true;
        });
    }

    /** The buyer names a tax code; false if it is too late, or there is nothing to claim. */
    public boolean claim(UUID orderId, String taxCode) {
        return jdbi.inTransaction(transaction -> {
            Optional<Invoice> claimed = invoices.findForUpdate(transaction, orderId)
                    .filter(invoice -> invoice.status() == Status.CLAIMABLE && !invoice.claimOver());
            claimed.ifPresent(invoice -> endClaim(transaction, invoice, taxCode));
            return claimed.isPresent();
        });
    }

    /**
     * Nobody has claimed it in time: it becomes a retail invoice.
     *
     * <p><b>Delivery.</b> Any number of runs are as good as one, and either this or a claim is first: both lock the row.
     *
     * @throws RetryLaterException if the time is not over, because the clock of Redis is ahead of the database's
     */
    public void expireClaim(UUID orderId) {
        jdbi.useTransaction(transaction -> {
            Invoice invoice = invoices.findForUpdate(transaction, orderId).orElse(null);
            if (invoice == null || invoice.status() != Status.CLAIMABLE) {
                return;
            }
            if (!invoice.claimOver()) {
                throw new RetryLaterException(invoice.claimLeft(), "the claim of order " + orderId + " is not over");
            }
            endClaim(transaction, invoice, null);
            log.info("claim of order {} expired", orderId);
        });
    }

    /** The order was cancelled; false if it has no invoice. What that means for the invoice is decided behind its issuance. */
    public boolean cancel(UUID orderId) {
        return jdbi.inTransaction(transaction -> {
            Optional<Invoice> cancelled = invoices.findForUpdate(transaction, orderId);
            cancelled.ifPresent(invoice ->
                    outbox.write(transaction, event(InvoiceTopic.ORDER_CANCELLED, orderId, invoice.provider())));
            return cancelled.isPresent();
        });
    }

    /** The invoice of an order. */
    public Optional<Invoice> find(UUID orderId) {
        return jdbi.withHandle(handle -> invoices.find(handle, orderId));
    }

    private void endClaim(Handle transaction, Invoice invoice, @Nullable String taxCode) {
        invoices.endClaim(transaction, invoice.orderId(), taxCode);
        issueSoon(transaction, invoice.orderId(), invoice.provider(), invoice.mode());
    }

    private void issueSoon(Handle transaction, UUID orderId, String provider, Mode mode) {
        if (mode == Mode.REAL_TIME) {
            outbox.write(transaction, event(InvoiceTopic.INVOICE_REQUESTED, orderId, provider));
        }
    }

    /**
     * The event's id is the job's id. For an issuance it is the order's: there is no second one. For others it is made of
     * both, so that a repeat of the same request is the same event.
     */
    private static Event event(InvoiceTopic topic, UUID orderId, String provider) {
        UUID id = topic == InvoiceTopic.INVOICE_REQUESTED
                ? orderId
                : UUID.nameUUIDFromBytes((topic.topicName() + " " + orderId).getBytes(UTF_8));
        return Event.of(topic, orderId, new Invoice.Requested(orderId, provider))
                .withId(id);
    }
}
