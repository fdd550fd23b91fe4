package dev.baton.redis;

import dev.baton.failure.FailureRules;
import dev.baton.failure.Outcome;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.ContextualJobHandler;
import dev.baton.job.Job;
import dev.baton.job.JobContext;
import dev.baton.trace.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of one handler, from the taken job to its end. */
final class Attempt implements Runnable, JobContext {
    private static final Logger log = LoggerFactory.getLogger(Attempt.class);

    private final Lease lease;
    private final Job job;
    private final Work work;
    private final Attempts attempts;
    private final long takenAt = System.nanoTime();
    private volatile LeaseEnd leaseEnd;
    private volatile boolean leaseLost;
    private volatile boolean begun;
    private @Nullable Thread runner;

    Attempt(Lease lease, Job job, Work work, Attempts attempts, LeaseEnd leaseEnd) {
        this.lease = lease;
        this.job = job;
        this.work = work;
        this.attempts = attempts;
        this.leaseEnd = leaseEnd;
    }

    Lease lease() {
        return lease;
    }

    Job job() {
        return job;
    }

    long ageNanos() {
        return System.nanoTime() - takenAt;
    }

    boolean begun() {
        return begun;
    }

    void begun(boolean now) {
        begun = now;
    }

    void renewed(LeaseEnd newEnd) {
        leaseEnd = newEnd;
    }

    void loseLease() {
        leaseLost = true;
        interrupt();
    }

    synchronized void interrupt() {
        if (runner != null) {
            runner.interrupt();
        }
    }

    @Override
    public boolean leaseLost() {
        return leaseLost;
    }

    @Override
    public boolean stopping() {
        return attempts.interrupting();
    }

    @Override
    public Instant leaseEnd() {
        return leaseEnd.at();
    }

    @Override
    public void run() {
        // It may have waited for so long that somebody else has the job.
        if (leaseLost || leaseEnd.passed() || !attempts.begin(this)) {
            attempts.ended(this, End.released(job, lease, Duration.ZERO));
            return;
        }
        long began = System.nanoTime();
        End end;
        try {
            end = runInContext(began);
        } catch (Throwable failure) {
            // Ours, not the handler's; even so the job must not stay here for ever.
            end = failed(failure, began);
        }
        attempts.worked(System.nanoTime() - began);
        attempts.ended(this, end);
    }

    private End runInContext(long began) {
        Trace.Restored request = Trace.restore(job.headers(), "job-" + job.queue() + "-" + job.id());
        setRunner(Thread.currentThread());
        try {
            attempts.listeners().tell(listener -> listener.started(job));
            return handle(began);
        } finally {
            setRunner(null);
            request.close();
        }
    }

    /** An interrupt that came early is not missed, and one that came late must not hit the thread's next job. */
    private synchronized void setRunner(@Nullable Thread thread) {
        runner = thread;
        if (thread == null && Thread.interrupted()) {
            log.debug("{} had ended when it was interrupted", job);
        } else if (thread != null && attempts.interrupting()) {
            thread.interrupt();
        }
    }

    private End handle(long began) {
        try {
            work.handler().handle(job, this);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            log.debug("{} done in {} ms", job, took.toMillis());
            return End.completed(job, lease, took);
        } catch (Throwable failure) {
            // Errors too: one job's OutOfMemoryError or missing class must not silence the others.
            return failed(failure, began);
        }
    }

    /**
     * Handed back because its worker stops. Whoever goes on after an interrupt may be what ends the process, by
     * {@code System.exit}: that must not happen for ever.
     */
    End stopped() {
        return begun ? End.abandoned(job, lease) : End.released(job, lease, Duration.ZERO);
    }

    private End failed(Throwable failure, long began) {
        long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
        if (attempts.interrupting()) {
            log.info("{} was interrupted by the stop of its worker after {} ms; it starts elsewhere", job, millis);
            return End.released(job, lease, Duration.ZERO);
        }
        Outcome outcome =
                work.failures().decide(work.policy(), job.start(), job.attempt(), failure, ThreadLocalRandom.current());
        log.info(
                "{} failed after {} ms, {}: {}",
                job,
                millis,
                outcome,
                failure.getClass().getName());
        logCauses(failure);
        return End.failed(job, lease, outcome, failure);
    }

    /** A logger may walk the causes by recursion; that must not keep the job from being settled. */
    private void logCauses(Throwable failure) {
        try {
            log.debug("{} failed", job, failure);
        } catch (RuntimeException | StackOverflowError e) {
            log.debug(
                    "{} failed, and its causes cannot be logged: {}",
                    job,
                    e.getClass().getName());
        }
    }

    /**
     * What is to be run, and how its failures are judged.
     *
     * @param policy of this job
     */
    record Work(ContextualJobHandler handler, RetryPolicy policy, FailureRules failures) {}
}
