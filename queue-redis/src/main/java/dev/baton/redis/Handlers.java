package dev.baton.redis;

import dev.baton.failure.DeathReason;
import dev.baton.failure.FailureRules;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.ContextualJobHandler;
import dev.baton.job.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts taken jobs: finds the handler, or says at once why the job cannot be started. One thread. */
final class Handlers {
    private static final Logger log = LoggerFactory.getLogger(Handlers.class);

    /** Long enough not to spin, short enough that a worker of the new version gets the job soon. */
    private static final Duration UNKNOWN_NAME_DELAY = Duration.ofSeconds(5);

    private static final int MOST_UNKNOWN_NAMES = 100;

    private final String queue;
    private final Map<String, Named> handlers;
    private final RetryPolicy policy;
    private final FailureRules failures;
    private final Attempts attempts;
    private final Set<String> unknownNames = ConcurrentHashMap.newKeySet();

    Handlers(String queue, Map<String, Named> handlers, RetryPolicy policy, FailureRules failures, Attempts attempts) {
        this.queue = queue;
        this.handlers = Map.copyOf(handlers);
        this.policy = policy;
        this.failures = failures;
        this.attempts = attempts;
    }

    void start(Exchange.Taken taken, LeaseEnd leaseEnd) {
        JobRecord record;
        try {
            record = JobRecord.parse(taken.id(), taken.record());
        } catch (IllegalArgumentException unreadable) {
            Lease lease = JobRecord.lease(taken.id(), taken.token(), taken.record());
            String why = String.valueOf(unreadable.getMessage());
            attempts.ended(End.buriedUnstarted(unreadable(taken), lease, DeathReason.PERMANENT, why));
            return;
        }
        Job job = record.toJob(queue);
        Lease lease = record.lease(taken.token());
        Named named = handlers.get(job.name());
        if (named == null) {
            // Whatever it has used up: only a worker that knows the name knows the budget.
            warnOfUnknown(job);
            attempts.ended(End.unknown(job, lease, UNKNOWN_NAME_DELAY));
            return;
        }
        start(lease, job, policy(record, named), named, leaseEnd);
    }

    /** The job's own, or else its name's, or else the worker's. */
    private RetryPolicy policy(JobRecord record, Named named) {
        if (record.envelope().retry() != null) {
            return record.envelope().retry();
        }
        return named.policy() == null ? policy : named.policy();
    }

    private void start(Lease lease, Job job, RetryPolicy policy, Named named, LeaseEnd leaseEnd) {
        Optional<DeathReason> spent = FailureRules.spent(policy, job.start(), job.attempt());
        if (spent.isPresent()) {
            String why = "its budget was spent by " + (job.start() - 1) + " starts, the last of which lost its worker";
            attempts.ended(End.buriedUnstarted(job, lease, spent.get(), why));
            return;
        }
        attempts.start(
                new Attempt(lease, job, new Attempt.Work(named.handler(), policy, failures), attempts, leaseEnd));
    }

    /** Once per name: thousands of such jobs come back every few seconds, and are counted in the queue's totals. */
    private void warnOfUnknown(Job job) {
        if (unknownNames.size() < MOST_UNKNOWN_NAMES && unknownNames.add(job.name())) {
            log.warn(
                    "no handler for {}; jobs of this name wait, {} at a time, for a worker that has one",
                    job,
                    UNKNOWN_NAME_DELAY);
        }
    }

    /** What can be said of a job whose record cannot be read. */
    private Job unreadable(Exchange.Taken taken) {
        return new Job(queue, taken.id(), "", "", Map.of(), Instant.EPOCH, 1, 1);
    }

    /**
     * The handler of a job name.
     *
     * @param policy of this name alone, or null
     */
    record Named(ContextualJobHandler handler, @Nullable RetryPolicy policy) {}
}
