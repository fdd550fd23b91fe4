/**
 * The relay carries committed events out of the outbox: {@link dev.baton.relay.Routes} say which
 * {@link dev.baton.relay.Sink}s get the events of a topic, and one pass of the {@link dev.baton.relay.Relay} is one
 * transaction that locks, reads, hands over, marks and commits.
 */
@NullMarked
package dev.baton.relay;

import org.jspecify.annotations.NullMarked;
