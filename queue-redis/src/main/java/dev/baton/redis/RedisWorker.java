package dev.baton.redis;

import dev.baton.internal.Loop;
import dev.baton.internal.Rests;
import dev.baton.job.Job;
import java.time.Duration;
import java.util.List;
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
 * <p>Every worker also fires the {@linkplain RedisJobQueue#schedules schedules} of its queue.
 *
 * <p><b>Threads.</b> One thread exchanges with Redis, up to four more under full load, one waits for hints, one fires schedules, one
 * carries dead letters, and a pool runs the handlers. All methods may be called from any thread.
 */
public final class RedisWorker implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RedisWorker.class);
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);
    private static final Duration FOR_LETTERS = Duration.ofSeconds(1);

    private final String name;
    private final int concurrency;
    private final Duration grace;
    private final QueueSettings settings;
    private final HandlerThreads threads;
    private final Attempts attempts;
    private final Handlers handlers;
    private final ExchangePass exchangePass;
    private final ExtraConversations extra;
    private final WakePass wakePass;
    private final WorkerLoops loops;
    private final Loop exchangeLoop;
    private final Loop wakeLoop;
    private final Loop scheduleLoop;
    private final @Nullable Loop buryLoop;

    RedisWorker(RedisWorkerBuilder builder, StartCheck check) {
        RedisJobQueue queue = builder.queue;
        this.name = queue.name();
        this.concurrency = builder.concurrency;
        this.grace = builder.grace;
        this.settings = queue.settings();
        this.threads = HandlerThreads.of(name, concurrency, builder.executor);
        Slots slots = new Slots(concurrency, threads.executor());
        Rests rests = queue.queues().rests();
        Silence silence = new Silence(builder.lease, rests.longest());
        this.attempts = new Attempts(new Listeners(builder.listeners), slots, silence, builder.siblings, this::nudge);
        this.handlers = new Handlers(name, builder.handlers, builder.retry, builder.failures, attempts);
        this.wakePass = new WakePass(queue, check, this::nudge);
        Prefetch prefetch = new Prefetch(concurrency);
        this.exchangePass = new ExchangePass(
                conversation(queue, builder.lease), attempts, slots, prefetch, builder.lease, new Around());
        this.loops = new WorkerLoops(name, rests, queue.queues().recovery());
        this.exchangeLoop = loops.add("exchange", exchangePass);
        this.extra = new ExtraConversations(() -> conversation(queue, builder.lease), this::nudge, loops);
        this.wakeLoop = loops.add("wake", wakePass);
        this.scheduleLoop = loops.add("schedule", new SchedulePass(new RedisSchedules(queue)));
        this.buryLoop =
                builder.deadLetters == null ? null : loops.add("bury", new BuryPass(queue, builder.deadLetters));
    }

    /** A worker of this queue. */
    public static RedisWorkerBuilder builder(RedisJobQueue queue) {
        return new RedisWorkerBuilder(queue, new Siblings(List.of()));
    }

    /**
     * Stops, in this order and for these reasons:
     *
     * <ol>
     *   <li>no more jobs are taken or begun, and those under way from Redis go back: what is not begun needs no end;
     *   <li>running handlers get the grace to finish, while their leases are still renewed and their results settled;
     *   <li>those still at work are interrupted, and get a second to notice;
     *   <li>those that took no notice are handed back at the cost of a start, but no attempt: one of them may be what
     *       ended the process, and must run out of starts some day;
     *   <li>the last results are told to Redis; only then do the renewals stop, so no job is handed out while its handler
     *       may still be at work here, unless that ignored the interrupt;
     *   <li>another worker is called: this one may have been the only one that knew of a job that is due soon.
     * </ol>
     *
     * If Redis cannot be reached meanwhile, the jobs start elsewhere when their leases have ended. Stopping again does
     * nothing.
     *
     * @param longest the grace; zero interrupts at once
     * @return what became of the jobs that ran
     * @throws IllegalArgumentException if the grace is negative or over 365 days; the worker goes on then
     */
    public StopReport stop(Duration longest) {
        RedisWorkerBuilder.checkGrace(longest);
        scheduleLoop.stop();
        attempts.startNoMore();
        wakeLoop.stop();
        wakePass.interrupt();
        wakeLoop.close();
        wakePass.close();
        StopReport report = finishHandlers(longest);
        scheduleLoop.close();
        // The servers are still to be told: an interrupt must not cut that short.
        boolean interrupted = Thread.interrupted();
        exchangeLoop.close();
        extra.close();
        lastExchanges();
        callAnother();
        if (buryLoop != null && !buryLoop.close(FOR_LETTERS)) {
            buryLoop.interrupt();
            if (!buryLoop.close(FOR_LETTERS)) {
                log.warn("the dead-letter store has not answered; its dead jobs stay in Redis for another worker");
            }
        }
        loops.ended();
        threads.shutdown();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return report;
    }

    /** Stops with the grace that was set; see {@link #stop(Duration)}. */
    @Override
    public void close() {
        stop();
    }

    StopReport stop() {
        return stop(grace);
    }

    void start() {
        exchangeLoop.start();
        wakeLoop.start();
        scheduleLoop.start();
        if (buryLoop != null) {
            buryLoop.start();
        } else {
            log.warn("the worker of {} has no dead-letter store; dead jobs stay in Redis", name);
        }
    }

    private void nudge() {
        exchangeLoop.nudge();
    }

    private Conversation conversation(RedisJobQueue queue, Duration lease) {
        return new Conversation(new Exchange(queue, lease), attempts, lease, new Around());
    }

    private final class Around implements ExchangePass.Worker, Conversation.Worker {
        @Override
        public void start(Exchange.Taken taken, LeaseEnd leaseEnd) {
            handlers.start(taken, leaseEnd);
        }

        @Override
        public void busy() {
            // With one slot jobs start in the order of the queue; several conversations would bring them out of it.
            if (concurrency > 1) {
                extra.wake();
            }
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

    private StopReport finishHandlers(Duration longest) {
        int begun = attempts.begun();
        try {
            if (!attempts.awaitIdle(longest)) {
                attempts.interruptAll();
                attempts.awaitIdle(AFTER_INTERRUPT);
            }
        } catch (InterruptedException e) {
            attempts.interruptAll();
            Thread.currentThread().interrupt();
        }
        List<Job> handedBack = attempts.handBackAll();
        if (!handedBack.isEmpty()) {
            log.warn("{} jobs of {} did not end in time and were handed back", handedBack.size(), name);
        }
        return new StopReport(Math.max(0, begun - handedBack.size()), handedBack);
    }

    /** The exchange loops have ended, so this thread may run their passes; of several that stop the worker, one at a time. */
    private synchronized void lastExchanges() {
        try {
            tellAll();
        } catch (RuntimeException | Error e) {
            log.debug("the last results of {} are told once more", name, e);
            try {
                tellAll();
            } catch (RuntimeException | Error again) {
                // Errors too: whoever stops a worker has more to stop.
                log.warn("the last results of {} could not be told to Redis; their jobs start again", name, again);
            }
        }
    }

    private void callAnother() {
        try {
            settings.callAWorker();
        } catch (RuntimeException e) {
            log.debug("no other worker of {} was called; each looks by itself every few seconds", name, e);
        }
    }

    private void tellAll() {
        while (extra.hasNews() || exchangePass.hasNews()) {
            extra.tellNews();
            exchangePass.run();
        }
    }
}
