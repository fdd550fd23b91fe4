package dev.baton.job;

import dev.baton.failure.DeathReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens to the jobs of one worker, in its process. What a listener throws is logged and harms nothing.
 *
 * <p><b>Delivery.</b> An end is told after the queue has accepted it; a crash in between loses the telling, not the end.
 *
 * <p><b>Threads.</b> Called by the worker's own threads, several at once; must be quick.
 */
public interface WorkerListener {
    /** A handler begins. */
    default void started(Job job) {}

    /** The job is done. */
    default void completed(Job job, Duration took) {}

    /** The job failed and starts again after the delay. */
    default void retried(Job job, Duration delay, Throwable failure) {}

    /**
     * The job was told to come later; no attempt is used up.
     *
     * @param failure whose chain of causes says so; a {@code RetryLaterException} tells whether the wait was cut
     */
    default void postponed(Job job, Duration delay, Throwable failure) {}

    /**
     * A quota is spent; no job of the queue starts before the delay is over.
     *
     * @param failure whose chain of causes says so; a {@code ThrottledException} tells whether the wait was cut
     */
    default void throttled(Job job, Duration delay, Throwable failure) {}

    /**
     * The job will not be tried again.
     *
     * @param failure that it died of; null if its budget was spent by crashes
     */
    default void died(Job job, DeathReason reason, @Nullable Throwable failure) {}

    /**
     * The job goes back unharmed: the worker is being stopped, has no handler for its name, or has taken it ahead and cannot begin it
     * soon.
     */
    default void released(Job job) {}

    /** The lease ended while the handler was at work, or before its result was told; another worker may have the job. */
    default void leaseLost(Job job) {}

    /** The lease of a job has ended somewhere, and this worker made it ready again. */
    default void reclaimed(String jobId) {}
}
