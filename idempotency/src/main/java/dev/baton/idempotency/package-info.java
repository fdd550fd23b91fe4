/**
 * The guard: {@link dev.baton.idempotency.Guard} applies an effect exactly once per (consumer, message), by a row in
 * {@code processed_messages} that is written in the same transaction as the effect.
 *
 * <p>What that covers: effects in the same database are exactly once. A foreign system cannot take part in the
 * transaction; give it a key that comes from the business intent, and it is at least once with us and once with it.
 */
@NullMarked
package dev.baton.idempotency;

import org.jspecify.annotations.NullMarked;
