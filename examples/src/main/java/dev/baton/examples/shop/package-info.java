/**
 * A shop that never forgets an order: the example to read first.
 *
 * <p>{@link dev.baton.examples.shop.ShopApi} takes an order over HTTP and commits it together with the event {@code
 * order.placed}. {@link dev.baton.examples.shop.ShopWorker} runs the relay, which carries events into queues as
 * {@link dev.baton.examples.shop.ShopRoutes} says, and the workers of these queues: the payment is captured (which
 * writes the event {@code payment.captured}), a confirmation is sent, the shipment is booked, loyalty points are
 * awarded. {@link dev.baton.examples.shop.ShopDemo} runs all of it against a sandbox that breaks down on purpose, and
 * then adds up whether every order was captured, shipped, confirmed and rewarded exactly once.
 *
 * <p>In which order to read: {@code orders.OrdersService}, {@code ShopRoutes}, {@code ShopWorker}, {@code
 * payments.PaymentsService}, {@code shipping.ShippingService}, {@code loyalty.LoyaltyService}. Each of the last three
 * makes its effect safe to repeat in another way, because the other side offers something else: an idempotency key, a
 * search, or a table of ours.
 */
@NullMarked
package dev.baton.examples.shop;

import org.jspecify.annotations.NullMarked;
