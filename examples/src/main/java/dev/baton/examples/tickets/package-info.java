/**
 * A ticket office that holds seats for a while: what RabbitMQ does with a queue of messages that die and a dead-letter
 * exchange is one line here, an event that is not to arrive before its time.
 *
 * <p>{@link dev.baton.examples.tickets.TicketsApi} takes orders over HTTP. {@link dev.baton.examples.tickets.TicketOffice}
 * locks the seats and commits order, seats and the event {@code order.held} together; the event's jobs start when the hold
 * is over. {@link dev.baton.examples.tickets.TicketsWorker} carries events into the queue and releases what was not paid.
 * {@link dev.baton.examples.tickets.TicketsDemo} runs all of it with customers who pay, change their minds or vanish, kills
 * what it can, and adds up whether every seat was sold once or released in time.
 *
 * <table>
 * <caption>The states of an order</caption>
 * <tr><th>state</th><th>its seats are</th><th>leaves it by</th></tr>
 * <tr><td>pending</td><td>locked until the hold is over; another cart begins a new hold</td><td>pay, cancel, delete, or
 * release when the hold is over</td></tr>
 * <tr><td>paid</td><td>sold</td><td></td></tr>
 * <tr><td>cancelled</td><td>available</td><td></td></tr>
 * </table>
 */
@NullMarked
package dev.baton.examples.tickets;

import org.jspecify.annotations.NullMarked;
