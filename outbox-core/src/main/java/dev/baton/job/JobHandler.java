package dev.baton.job;

/**
 * The user's code for one job name.
 *
 * <p><b>Delivery.</b> A job is handed out at least once: after a crash, or after a lease that ended while the handler was
 * still at work, it is handed out again. So an effect must bear a repeat: put database effects under the guard, give a
 * foreign service an idempotency key that comes from the business intent.
 *
 * <p><b>Threads.</b> Called by many threads at once.
 */
@FunctionalInterface
public interface JobHandler {
    /**
     * Does the work; returning means that it is done.
     *
     * @throws Exception if it is not; the class of the exception says what happens next, see {@code dev.baton.failure}
     */
    void handle(Job job) throws Exception;
}
