package dev.baton.redis;

import dev.baton.failure.DeathReason;
import dev.baton.failure.Outcome;
import dev.baton.job.Job;
import dev.baton.job.WorkerListener;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a job ended here: what the queue is told, and once it has accepted that, the listeners.
 *
 * @param news for the listeners
 */
record End(Job job, Settlement settlement, Consumer<WorkerListener> news) {
    static End completed(Job job, Lease lease, Duration took) {
        return new End(job, Settlement.complete(lease), listener -> listener.completed(job, took));
    }

    static End released(Job job, Lease lease, Duration delay) {
        return new End(job, Settlement.release(lease, delay), listener -> listener.released(job));
    }

    static End abandoned(Job job, Lease lease) {
        return new End(job, Settlement.abandoned(lease), listener -> listener.released(job));
    }

    static End unknown(Job job, Lease lease, Duration delay) {
        return new End(job, Settlement.unknown(lease, delay), listener -> listener.released(job));
    }

    static End buriedUnstarted(Job job, Lease lease, DeathReason reason, String why) {
        return new End(
                job,
                Settlement.buryUnstarted(lease, LastFailure.fatal(reason, why)),
                listener -> listener.died(job, reason, null));
    }

    static End failed(Job job, Lease lease, Outcome outcome, Throwable failure) {
        return new End(job, Settlement.failed(lease, outcome, failure), news(job, outcome, failure));
    }

    private static Consumer<WorkerListener> news(Job job, Outcome outcome, Throwable failure) {
        if (outcome instanceof Outcome.Retry retry) {
            return listener -> listener.retried(job, retry.delay(), failure);
        } else if (outcome instanceof Outcome.Postpone postpone) {
            return listener -> listener.postponed(job, postpone.delay(), failure);
        } else if (outcome instanceof Outcome.Throttle throttle) {
            return listener -> listener.throttled(job, throttle.delay(), failure);
        } else if (outcome instanceof Outcome.Bury bury) {
            return listener -> listener.died(job, bury.reason(), failure);
        }
        throw new IllegalArgumentException("unknown outcome " + outcome);
    }
}
