/**
 * Jobs that will not be tried again. A dead job stays in its queue until a
 * {@link dev.baton.deadletter.DeadLetterStore} confirmed that it holds the {@link dev.baton.deadletter.DeadLetter}, so
 * none is lost while the store is down.
 *
 * <p>A letter's life:
 *
 * <table>
 * <caption>The states of a letter</caption>
 * <tr><th>state</th><th>meaning</th><th>leaves it by</th></tr>
 * <tr><td>OPEN</td><td>nobody has dealt with it</td><td>redrive, discard</td></tr>
 * <tr><td>REDRIVEN</td><td>sent back through the outbox</td><td>another death (OPEN again), retention</td></tr>
 * <tr><td>DISCARDED</td><td>given up, with a reason</td><td>retention</td></tr>
 * </table>
 *
 * <p>{@link dev.baton.deadletter.DeadLetterStore} is what a queue needs, {@link dev.baton.deadletter.DeadLetterArchive}
 * what people need; the conformance suite {@code DeadLetterStoreContract} holds a store to both.
 */
@NullMarked
package dev.baton.deadletter;

import org.jspecify.annotations.NullMarked;
