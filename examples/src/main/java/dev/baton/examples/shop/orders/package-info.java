/**
 * Orders. {@link dev.baton.examples.shop.orders.Order} collects the events of what happens to it, and
 * {@link dev.baton.examples.shop.orders.OrderRepository} writes both in the same transaction.
 *
 * <table>
 * <caption>The states of an order</caption>
 * <tr><th>state</th><th>meaning</th><th>leaves it by</th></tr>
 * <tr><td>placed</td><td>the payment is authorized, and the rest follows by itself</td><td>cancel, until the payment is
 * captured</td></tr>
 * <tr><td>cancelled</td><td>the authorization is being given back, or is</td><td></td></tr>
 * </table>
 */
@NullMarked
package dev.baton.examples.shop.orders;

import org.jspecify.annotations.NullMarked;
