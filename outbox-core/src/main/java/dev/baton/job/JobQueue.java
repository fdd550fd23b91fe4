package dev.baton.job;

import java.util.List;

/** A queue that jobs can be put into. Thread-safe. */
public interface JobQueue {
    /** The queue's name, such as {@code payments}. */
    String name();

    /**
     * Enqueues the jobs in this order.
     *
     * <p><b>Delivery.</b> The queue takes chunks of at most 100 jobs (fewer if their payloads are large), each wholly or not
     * at all. If this call throws, some
     * chunks may have been taken: calling again with the same ids is safe as long as the jobs are not finished.
     *
     * @return one answer per job, in the same order
     */
    List<EnqueueAnswer> enqueue(List<NewJob> jobs);

    /** Enqueues one job; see {@link #enqueue(List)}. */
    default EnqueueAnswer enqueue(NewJob job) {
        return enqueue(List.of(job)).get(0);
    }
}
