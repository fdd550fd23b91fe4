/**
 * The guards: an effect is applied once, however often its message or request comes.
 *
 * <table>
 * <caption>Which guard for what</caption>
 * <tr><th>what comes</th><th>where the effect is</th><th>guard</th><th>repeat</th></tr>
 * <tr><td>message with an id</td><td>this database</td><td>{@link dev.baton.idempotency.Guard}</td><td>does nothing</td></tr>
 * <tr><td>request with a key</td><td>this database</td><td>{@link dev.baton.idempotency.RequestGuard}</td>
 *     <td>gets the stored answer</td></tr>
 * <tr><td>request with a key</td><td>elsewhere</td><td>{@link dev.baton.idempotency.LeasedGuard}</td>
 *     <td>gets the stored answer</td></tr>
 * </table>
 *
 * <p>What that covers: effects in the same database are exactly once, because the mark is in their transaction. A foreign
 * system cannot take part in it; give it a key that comes from the business intent, and it is at least once with us and
 * once with it.
 */
@NullMarked
package dev.baton.idempotency;

import org.jspecify.annotations.NullMarked;
