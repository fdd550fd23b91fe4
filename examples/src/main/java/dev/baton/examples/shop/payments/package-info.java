/**
 * Payments: the money behind an order, authorized when it is placed and captured by a job.
 *
 * <table>
 * <caption>The states of a payment</caption>
 * <tr><th>state</th><th>meaning</th><th>leaves it by</th></tr>
 * <tr><td>authorized</td><td>the gateway has reserved the amount</td><td>capture, or cancelling the order</td></tr>
 * <tr><td>captured</td><td>the money is ours, and {@code payment.captured} was written</td><td></td></tr>
 * <tr><td>voiding</td><td>the order was cancelled, the gateway does not know yet</td><td>void</td></tr>
 * <tr><td>voided</td><td>the reservation is given back</td><td></td></tr>
 * </table>
 *
 * Each change is a compare-and-set on the state, so of two runs at the same time one wins and the other does nothing.
 */
@NullMarked
package dev.baton.examples.shop.payments;

import org.jspecify.annotations.NullMarked;
