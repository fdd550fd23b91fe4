package dev.baton.redis;

import dev.baton.deadletter.DeadLetterStore;
import dev.baton.failure.RetryPolicy;
import dev.baton.internal.Loop;
import dev.baton.job.JobHandler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs of one queue.
 *
 * <p>Any number of workers, in any number of processes, may serve one queue. A worker that loses Redis keeps trying and
 * resumes by itself.
 *
 * <p><b>Delivery.</b> A job is handed out at least once, and to one worker at a time as long as that renews its lease. If
 * the process dies, its jobs start elsewhere when their leases have ended, 15 s by default, at the cost of one start and
 * one attempt.
 *
 * <p><b>Threads.</b> One thread exchanges with Redis, one waits for hints, one carries dead letters, and a pool runs the
 * handlers. All methods may be called from any thread.
 */
public final class RedisWorker implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RedisWorker.class);
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);
    private static final int LAST_EXCHANGES = 20;

    private final String name;
    private final Duration grace;
    private final ExecutorService pool;
    private final Attempts attempts;
    private final Handlers handlers;
    private final ExchangePass exchangePass;
    private final WakePass wakePass;
    private final Loop exchangeLoop;
    private final Loop wakeLoop;
    private final @Nullable Loop buryLoop;

    private RedisWorker(Builder builder) {
        RedisJobQueue queue = builder.queue;
        this.name = queue.name();
        this.grace = builder.grace;
        this.pool = Executors.newFixedThreadPool(builder.concurrency, threads(name));
        this.attempts = new Attempts(this::nudge);
        this.handlers = new Handlers(name, Map.copyOf(builder.handlers), builder.retry, pool, attempts);
        this.wakePass = new WakePass(queue, this::nudge);
        this.exchangePass = new ExchangePass(
                new Exchange(queue, builder.lease), attempts, builder.concurrency, builder.lease, new Around());
        this.exchangeLoop = new Loop("baton-" + name + "-exchange", exchangePass);
        this.wakeLoop = new Loop("baton-" + name + "-wake", wakePass);
        this.buryLoop = builder.deadLetters == null
                ? null
                : new Loop("baton-" + name + "-bury", new BuryPass(queue, builder.deadLetters));
    }

    /** A worker of this queue. */
    public static Builder builder(RedisJobQueue queue) {
        return new Builder(queue);
    }

    /**
     * Stops, in this order and for these reasons:
     *
     * <ol>
     *   <li>no more jobs are taken: what is not begun needs no end;
     *   <li>running handlers get the grace to finish, while their leases are still renewed and their results settled;
     *   <li>those still at work are interrupted, and get a second to notice;
     *   <li>what is left is handed back unharmed and starts elsewhere at once;
     *   <li>the last results are told to Redis; only then do the renewals stop, so no job is handed out while its handler
     *       may still be at work here.
     * </ol>
     *
     * If Redis cannot be reached meanwhile, the jobs start elsewhere when their leases have ended.
     */
    @Override
    public void close() {
        exchangePass.stopTaking();
        wakeLoop.stop();
        wakePass.interrupt();
        wakeLoop.close();
        wakePass.close();
        finishHandlers();
        exchangeLoop.close();
        lastExchanges();
        if (buryLoop != null) {
            buryLoop.close();
        }
    }

    private void start() {
        exchangeLoop.start();
        wakeLoop.start();
        if (buryLoop != null) {
            buryLoop.start();
        } else {
            log.warn("the worker of {} has no dead-letter store; dead jobs stay in Redis", name);
        }
    }

    private void nudge() {
        exchangeLoop.nudge();
    }

    private final class Around implements ExchangePass.Worker {
        @Override
        public void start(Exchange.Taken taken) {
            handlers.start(taken);
        }

        @Override
        public void hungry() {
            wakePass.hungry();
            wakeLoop.nudge();
        }

        @Override
        public void buried() {
            if (buryLoop != null) {
                buryLoop.nudge();
            }
        }
    }

    private void finishHandlers() {
        pool.shutdown();
        try {
            if (attempts.awaitIdle(grace)) {
                return;
            }
            attempts.interrupting(true);
            pool.shutdownNow();
            attempts.awaitIdle(AFTER_INTERRUPT);
        } catch (InterruptedException e) {
            attempts.interrupting(true);
            pool.shutdownNow();
            Thread.currentThread().interrupt();
        }
        int left = attempts.handBackAll();
        if (left > 0) {
            log.warn("{} jobs of {} did not end in time and were handed back", left, name);
        }
    }

    /** The exchange loop has ended, so this thread may run its pass; the count is bounded in case Redis is away. */
    private void lastExchanges() {
        for (int i = 0; i < LAST_EXCHANGES && exchangePass.hasNews(); i++) {
            try {
                exchangePass.run();
            } catch (RuntimeException | Error e) {
                // Errors too: whoever stops a worker has more to stop.
                log.warn("the last results of {} could not be told to Redis; their jobs start again", name, e);
                return;
            }
        }
    }

    private static ThreadFactory threads(String queue) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "baton-" + queue + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Settings of a worker. Not thread-safe. */
    public static final class Builder {
        private final RedisJobQueue queue;
        private final Map<String, JobHandler> handlers = new LinkedHashMap<>();
        private int concurrency = 10;
        private RetryPolicy retry = RetryPolicy.DEFAULT;
        private Duration lease = Duration.ofSeconds(15);
        private Duration grace = Duration.ofSeconds(10);
        private @Nullable DeadLetterStore deadLetters;

        private Builder(RedisJobQueue queue) {
            this.queue = queue;
        }

        /**
         * Runs jobs of this name. A job of a name without a handler is handed back unharmed and waits for a worker that
         * has one.
         *
         * @throws IllegalArgumentException if the name has a handler already
         */
        public Builder handle(String jobName, JobHandler handler) {
            if (handlers.putIfAbsent(jobName, handler) != null) {
                throw new IllegalArgumentException("job name " + jobName + " has two handlers; remove one");
            }
            return this;
        }

        /**
         * How many jobs run at once; 10 by default.
         *
         * @throws IllegalArgumentException if it is not between 1 and 150: all their leases are renewed in one exchange
         */
        public Builder concurrency(int jobs) {
            if (jobs < 1 || jobs > 150) {
                throw new IllegalArgumentException("concurrency is " + jobs + "; it must be between 1 and 150");
            }
            this.concurrency = jobs;
            return this;
        }

        /** How often a job is tried; {@link RetryPolicy#DEFAULT} by default. */
        public Builder retry(RetryPolicy policy) {
            this.retry = policy;
            return this;
        }

        /**
         * How long a job stays with a worker that gives no sign of life; 15 s by default. Renewed at a third of it, also
         * while all handlers are busy.
         *
         * @throws IllegalArgumentException if it is shorter than a second
         */
        public Builder lease(Duration duration) {
            if (duration.toMillis() < 1_000) {
                throw new IllegalArgumentException("lease is " + duration + "; it must be at least PT1S");
            }
            this.lease = duration;
            return this;
        }

        /**
         * How long {@link RedisWorker#close} lets running handlers finish before it interrupts them; 10 s by default.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder grace(Duration duration) {
            if (duration.isNegative()) {
                throw new IllegalArgumentException("grace is " + duration + "; it must not be negative");
            }
            this.grace = duration;
            return this;
        }

        /** Where dead jobs go. Without it they stay in Redis. */
        public Builder deadLetters(DeadLetterStore store) {
            this.deadLetters = store;
            return this;
        }

        /**
         * A worker that runs until it is closed.
         *
         * @throws IllegalStateException if it has no handler
         */
        public RedisWorker start() {
            if (handlers.isEmpty()) {
                throw new IllegalStateException(
                        "the worker of " + queue.name() + " has no handler; call handle(jobName, handler) first");
            }
            RedisWorker worker = new RedisWorker(this);
            worker.start();
            return worker;
        }
    }
}
