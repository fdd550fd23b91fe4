/**
 * What a failure means for a job. A handler says it with one of three exceptions:
 *
 * <ul>
 * <li>{@link dev.baton.failure.PermanentException}: trying again cannot help; the job dies now.
 * <li>{@link dev.baton.failure.RetryLaterException}: not yet; the job waits, and no attempt is used up.
 * <li>{@link dev.baton.failure.ThrottledException}: a quota shared by the whole queue is spent; the queue waits.
 * </ul>
 *
 * Anything else is transient and is tried again after the {@link dev.baton.failure.Backoff} of the job's
 * {@link dev.baton.failure.RetryPolicy}. {@link dev.baton.failure.Outcome} is the decision, as a value.
 */
@NullMarked
package dev.baton.failure;

import org.jspecify.annotations.NullMarked;
