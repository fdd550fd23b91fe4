/**
 * Invoices that a foreign provider issues over HTTP: asynchronously, never two calls for one order at a time, each order
 * exactly once.
 *
 * <p>{@link dev.baton.examples.invoices.InvoicesApi} takes requests and commits the invoice together with its event;
 * {@link dev.baton.examples.invoices.InvoiceDesk} is what it does. {@link dev.baton.examples.invoices.InvoiceQueues} says
 * which queues and partitions there are, what goes there and how often it is tried.
 * {@link dev.baton.examples.invoices.InvoicesWorker} runs {@link dev.baton.examples.invoices.Issuance} against the provider,
 * lets claims expire, and fires the schedule of {@link dev.baton.examples.invoices.PendingPickup}. What finally fails comes to
 * {@link dev.baton.examples.invoices.FailedInvoices}. {@link dev.baton.examples.invoices.InvoicesDemo} runs all of it against
 * a provider that breaks down on purpose, kills workers, and adds up.
 *
 * <table>
 * <caption>The states of an invoice</caption>
 * <tr><th>state</th><th>meaning</th><th>leaves it by</th></tr>
 * <tr><td>claimable</td><td>the buyer may still name a tax code</td><td>claim, or expire-claim when the time is over</td></tr>
 * <tr><td>pending</td><td>to be issued: at once, or by the next scheduled run</td><td>issue, or its death</td></tr>
 * <tr><td>issued</td><td>the provider has given it a number</td><td>cancel</td></tr>
 * <tr><td>failed</td><td>refused, or tried in vain; there is a row in the audit and a dead letter</td><td>cancel</td></tr>
 * <tr><td>cancelled</td><td>with its order, at the provider too if it was issued</td><td></td></tr>
 * </table>
 */
@NullMarked
package dev.baton.examples.invoices;

import org.jspecify.annotations.NullMarked;
