package dev.baton.job;

/** A {@link JobHandler} that wants to know while it runs whether it may go on. */
@FunctionalInterface
public interface ContextualJobHandler {
    /**
     * Does the work; returning means that it is done.
     *
     * @throws Exception if it is not; the class of the exception says what happens next, see {@code dev.baton.failure}
     */
    void handle(Job job, JobContext context) throws Exception;
}
