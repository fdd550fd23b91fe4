package dev.baton.redis;

import dev.baton.deadletter.DeadLetterStore;
import dev.baton.failure.FailureRule;
import dev.baton.failure.FailureRules;
import dev.baton.failure.RetryPolicy;
import dev.baton.internal.Bounds;
import dev.baton.job.ContextualJobHandler;
import dev.baton.job.JobHandler;
import dev.baton.job.WorkerListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link RedisWorker}. Not thread-safe. */
public final class RedisWorkerBuilder {
    /** All leases are renewed in one exchange, beside as many settlements as remain of its 200. */
    private static final int MOST_JOBS = 150;

    final RedisJobQueue queue;
    final Siblings siblings;
    final Map<String, Handlers.Named> handlers = new LinkedHashMap<>();
    int concurrency = 10;
    RetryPolicy retry = RetryPolicy.DEFAULT;
    FailureRules failures = FailureRules.DEFAULT.with(JedisFailures.RULES);
    Duration lease = Duration.ofSeconds(15);
    Duration grace = Duration.ofSeconds(6);

    @Nullable
    DeadLetterStore deadLetters;

    @Nullable
    Executor executor;

    final List<WorkerListener> listeners = new ArrayList<>();

    RedisWorkerBuilder(RedisJobQueue queue, Siblings siblings) {
        this.queue = queue;
        this.siblings = siblings;
    }

    /**
     * Runs jobs of this name, and tries them as often as {@link #retry} says. A job of a name without a handler is handed
     * back unharmed, whatever it has used up, and waits for a worker that has one.
     *
     * @throws IllegalArgumentException if the name has a handler already
     */
    public RedisWorkerBuilder handle(String jobName, JobHandler handler) {
        return handleWithContext(jobName, (job, context) -> handler.handle(job));
    }

    /** As {@link #handle(String, JobHandler)}, for a handler that wants to know while it runs whether it may go on. */
    public RedisWorkerBuilder handleWithContext(String jobName, ContextualJobHandler handler) {
        return put(jobName, new Handlers.Named(handler, null));
    }

    /**
     * Runs jobs of this name, and tries them as often as this policy says. A job's own policy goes before it.
     *
     * @throws IllegalArgumentException if the name has a handler already
     */
    public RedisWorkerBuilder handle(String jobName, RetryPolicy policy, JobHandler handler) {
        return handleWithContext(jobName, policy, (job, context) -> handler.handle(job));
    }

    /** As {@link #handle(String, JobHandler)}, for a handler that wants to know while it runs whether it may go on. */
    public RedisWorkerBuilder handleWithContext(String jobName, RetryPolicy policy, ContextualJobHandler handler) {
        return put(jobName, new Handlers.Named(handler, policy));
    }

    /**
     * How many jobs run at once; 10 by default. With 1 they start in the order of the queue; with more, only those with the
     * same ordering key keep theirs.
     *
     * @throws IllegalArgumentException if it is not between 1 and 150: all their leases are renewed in one exchange
     */
    public RedisWorkerBuilder concurrency(int jobs) {
        this.concurrency = Bounds.between("concurrency", jobs, 1, MOST_JOBS);
        return this;
    }

    /** How often a job is tried; {@link RetryPolicy#DEFAULT} by default. */
    public RedisWorkerBuilder retry(RetryPolicy policy) {
        this.retry = policy;
        return this;
    }

    /**
     * Asks these rules what a failure means before the default ones; those of a later call go before those of an earlier.
     * What a handler says with an error class goes before all.
     */
    public RedisWorkerBuilder failures(FailureRule... rules) {
        this.failures = failures.with(rules);
        return this;
    }

    /**
     * How long a job stays with a worker that gives no sign of life; 15 s by default. Renewed at a third of it, also while
     * all handlers are busy.
     *
     * @throws IllegalArgumentException if it is shorter than a second or longer than a day
     */
    public RedisWorkerBuilder lease(Duration duration) {
        this.lease = Bounds.between("lease", duration, Duration.ofSeconds(1), Duration.ofDays(1));
        return this;
    }

    /**
     * How long {@link RedisWorker#close} lets running handlers finish before it interrupts them; 6 s by default. With a second
     * for those that are interrupted, and up to two for dead letters on their way, a stop is over before the ten seconds that the most
     * impatient platforms give a process after SIGTERM.
     *
     * @throws IllegalArgumentException if it is negative or over 365 days
     */
    public RedisWorkerBuilder grace(Duration duration) {
        this.grace = checkGrace(duration);
        return this;
    }

    static Duration checkGrace(Duration grace) {
        return Bounds.between("grace", grace, Duration.ZERO, Duration.ofDays(365));
    }

    /** Where dead jobs go. Without it they stay in Redis. */
    public RedisWorkerBuilder deadLetters(DeadLetterStore store) {
        this.deadLetters = store;
        return this;
    }

    /**
     * Runs handlers on this executor instead of a pool of the worker's own. The worker never shuts it down. It should have
     * room for as many jobs as {@link #concurrency} says; a job that waits in it keeps its lease. It must not run a job in the
     * calling thread, as {@code CallerRunsPolicy} does: that one renews the leases.
     */
    public RedisWorkerBuilder executor(Executor handlers) {
        this.executor = handlers;
        return this;
    }

    /**
     * Runs the handlers on virtual threads: as many as run at once, each of which goes on with the next job that waits.
     *
     * @throws IllegalStateException before Java 21, which has none
     */
    public RedisWorkerBuilder virtualThreads() {
        return executor(VirtualThreads.executor());
    }

    /** Tells this listener what happens to the jobs; several may be added. */
    public RedisWorkerBuilder listener(WorkerListener listener) {
        listeners.add(listener);
        return this;
    }

    /**
     * A worker that runs until it is closed.
     *
     * @throws IllegalStateException if it has no handler, or the server is too old or evicts keys; one that cannot be
     *     reached yet is checked later
     */
    public RedisWorker start() {
        if (handlers.isEmpty()) {
            throw new IllegalStateException(
                    "the worker of " + queue.name() + " has no handler; call handle(jobName, handler) first");
        }
        // Before anything is made that would have to be closed again.
        StartCheck check = new StartCheck(queue);
        check.beforeStart();
        RedisWorker worker = new RedisWorker(this, check);
        worker.start();
        return worker;
    }

    private RedisWorkerBuilder put(String jobName, Handlers.Named handler) {
        if (handlers.putIfAbsent(jobName, handler) != null) {
            throw new IllegalArgumentException("job name " + jobName + " has two handlers; remove one");
        }
        return this;
    }
}
