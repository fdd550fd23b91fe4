package dev.baton.examples.invoices;

import dev.baton.outbox.Topic;

/** The facts that the invoice service records. A new one does not compile before {@link InvoiceQueues} knows where it goes. */
public enum InvoiceTopic implements Topic {
    /** An invoice is to be issued now; payload {@link Invoice.Requested}. */
    INVOICE_REQUESTED("invoice.requested"),
    /** A buyer has been given time to claim an invoice; payload {@link Invoice.Requested}. */
    CLAIM_OPENED("claim.opened"),
    /** An order was cancelled, and so its invoice is to be; payload {@link Invoice.Requested}. */
    ORDER_CANCELLED("order.cancelled");

    private final String topicName;

    InvoiceTopic(String topicName) {
        this.topicName = topicName;
    }

    @Override
    public String topicName() {
        return topicName;
    }
}
