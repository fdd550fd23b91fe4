package dev.baton.redis;

import dev.baton.failure.FailureRules;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.Job;
import dev.baton.job.JobHandler;
import dev.baton.trace.Trace;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of one handler, from the taken job to its settlement. */
final class Attempt implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(Attempt.class);

    private final Lease lease;
    private final Job job;
    private final RetryPolicy policy;
    private final JobHandler handler;
    private final Attempts attempts;

    Attempt(Lease lease, Job job, RetryPolicy policy, JobHandler handler, Attempts attempts) {
        this.lease = lease;
        this.job = job;
        this.policy = policy;
        this.handler = handler;
        this.attempts = attempts;
    }

    Lease lease() {
        return lease;
    }

    Job job() {
        return job;
    }

    @Override
    public void run() {
        long began = System.nanoTime();
        Trace.Restored request = Trace.restore(job.headers(), "job-" + job.queue() + "-" + job.id());
        try {
            attempts.ended(this, handle(began));
        } finally {
            request.close();
        }
    }

    private Settlement handle(long began) {
        try {
            handler.handle(job);
            log.debug("{} done in {} ms", job, millisSince(began));
            return Settlement.complete(lease);
        } catch (Throwable failure) {
            // Errors too: one job's OutOfMemoryError or missing class must not silence the others.
            return failed(failure, began);
        }
    }

    private Settlement failed(Throwable failure, long began) {
        long millis = millisSince(began);
        if (attempts.interrupting()) {
            log.info("{} was interrupted by the stop of its worker after {} ms; it starts elsewhere", job, millis);
            return Settlement.release(lease, Duration.ZERO);
        }
        var outcome = FailureRules.decide(policy, job.start(), job.attempt(), failure, ThreadLocalRandom.current());
        log.info(
                "{} failed after {} ms, {}: {}",
                job,
                millis,
                outcome,
                failure.getClass().getName());
        log.debug("{} failed", job, failure);
        return Settlement.failed(lease, outcome, failure);
    }

    private static long millisSince(long began) {
        return (System.nanoTime() - began) / 1_000_000;
    }
}
