/**
 * The outbox: a transaction records an {@link dev.baton.outbox.Event} with an {@link dev.baton.outbox.OutboxWriter},
 * and the event exists if and only if that transaction committed. {@link dev.baton.outbox.OutboxStore} is the other
 * side of the same table, from which the relay carries committed events out.
 */
@NullMarked
package dev.baton.outbox;

import org.jspecify.annotations.NullMarked;
