package dev.baton.redis;

import dev.baton.job.Job;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The jobs that a worker holds, and the ends that wait for the next exchange. A slot is free again as soon as the handler
 * has returned: settling and taking happen in the same exchange. Thread-safe.
 */
final class Attempts {
    private final Running running = new Running();
    private final Ends ends = new Ends();
    private final List<Job> handedBack = new CopyOnWriteArrayList<>();
    private final LongAdder jobs = new LongAdder();
    private final LongAdder jobNanos = new LongAdder();
    private final Listeners listeners;
    private final Slots slots;
    private final Silence silence;
    private final Siblings siblings;
    private final Demand demand;
    private final Pause pause;
    private final Runnable nudge;
    private volatile int enough;
    private volatile boolean interrupting;

    /**
     * No jobs yet.
     *
     * @param nudge tells the exchange that there is something to settle
     */
    Attempts(Listeners listeners, Slots slots, Silence silence, Siblings siblings, Runnable nudge) {
        this.listeners = listeners;
        this.slots = slots;
        this.silence = silence;
        this.siblings = siblings;
        this.demand = new Demand(slots.size(), running::count);
        this.pause = new Pause(slots, demand, this::giveBackWaiting, this::ended, nudge);
        this.nudge = nudge;
    }

    Demand demand() {
        return demand;
    }

    Silence silence() {
        return silence;
    }

    Listeners listeners() {
        return listeners;
    }

    /** Runs a job as soon as there is a slot. */
    void start(Attempt attempt) {
        running.add(attempt);
        slots.offer(attempt);
    }

    /** Whether it may begin: it was not handed back, and there is no pause. */
    boolean begin(Attempt attempt) {
        pause.unlessPaused(() -> attempt.begun(running.has(attempt)));
        return attempt.begun();
    }

    /** Begins no job any more: those that wait for a slot, and those that still arrive, go back unharmed. */
    void startNoMore() {
        pause.forGood();
    }

    /** An exchange was answered, and its jobs were started. */
    void exchanged(Demand.Share share) {
        pause.arrived(share);
    }

    /** The first end counts: what was handed back at the stop is not settled again when its handler returns after all. */
    void ended(Attempt attempt, End end) {
        if (end.settlement().isThrottle() && running.has(attempt)) {
            // While it counts as running: however long that takes, its lease is renewed, and a stop waits for it.
            siblings.throttle(Duration.ofMillis(end.settlement().number()));
        }
        running.end(attempt, () -> settle(attempt, end));
    }

    private void settle(Attempt attempt, End end) {
        if (interrupting && attempt.begun() && end.settlement().isRelease()) {
            handedBack.add(end.job());
        }
        if (end.settlement().isThrottle()) {
            pause.throttled(end);
        } else {
            ended(end);
        }
    }

    /** A job that is not started. */
    void ended(End end) {
        ends.add(end);
        // While enough jobs wait for a slot, the exchange may let more ends come together.
        if (slots.waiting() <= enough) {
            nudge.run();
        }
    }

    /** How many jobs may wait for a slot before the next exchange is needed. */
    void enough(int waiting) {
        enough = waiting;
    }

    /** A handler has run for so long. */
    void worked(long nanos) {
        jobs.increment();
        jobNanos.add(nanos);
    }

    long jobs() {
        return jobs.sum();
    }

    long jobNanos() {
        return jobNanos.sum();
    }

    /** Hands back all jobs that wait for a slot, unharmed. */
    void giveBackWaiting() {
        giveBack(slots.waiting(), Duration.ZERO);
    }

    /**
     * Hands back so many of the jobs that wait for a slot, unharmed.
     *
     * @return whether there were any
     */
    boolean giveBack(int most, Duration delay) {
        // The newest goes back first, so the oldest is in front again.
        List<Attempt> back = slots.takeBack(most);
        back.forEach(attempt -> ended(attempt, End.released(attempt.job(), attempt.lease(), delay)));
        return !back.isEmpty();
    }

    int running() {
        return running.count();
    }

    /** Of these, those whose handler has begun. */
    int begun() {
        return (int) running.begun().count();
    }

    /** Of the jobs that run, and of those that only wait for a thread; what was taken ahead runs soon or goes back. */
    List<Lease> leasesToRenew() {
        return Stream.concat(running.begun(), slots.first(slots.idle()).stream())
                .map(Attempt::lease)
                .distinct()
                .limit(Exchange.LIMIT)
                .toList();
    }

    boolean hasEnds() {
        return ends.any();
    }

    int countEnds() {
        return ends.count();
    }

    List<Settlement> nextSettlements(int most) {
        return ends.next(most);
    }

    /** The queue has renewed the lease. */
    void renewed(Lease lease, LeaseEnd leaseEnd) {
        Attempt attempt = running.find(lease);
        if (attempt != null) {
            attempt.renewed(leaseEnd);
        }
    }

    /** The queue has accepted the end. */
    void settled(Lease lease) {
        End end = ends.answered(lease);
        if (end != null) {
            pause.told(end);
            listeners.tell(end.news());
        }
    }

    /** The queue has refused a renewal or an end. */
    void lost(Lease lease) {
        End end = ends.answered(lease);
        Attempt attempt = running.find(lease);
        if (end != null) {
            pause.told(end);
            listeners.tell(listener -> listener.leaseLost(end.job()));
        } else if (attempt != null && !attempt.leaseLost()) {
            attempt.loseLease();
            listeners.tell(listener -> listener.leaseLost(attempt.job()));
        }
    }

    boolean interrupting() {
        return interrupting;
    }

    /** From now on a handler that throws was interrupted by us, and its job goes back unharmed. */
    void interruptAll() {
        interrupting = true;
        running.all().forEach(Attempt::interrupt);
    }

    /** Hands back every job whose handler has not returned; answers all that were handed back since the interrupt. */
    List<Job> handBackAll() {
        giveBackWaiting();
        running.all().forEach(attempt -> ended(attempt, attempt.stopped()));
        running.awaitSettled();
        List<Job> all = List.copyOf(handedBack);
        handedBack.clear();
        return all;
    }

    /** {@link Running#awaitIdle}. */
    boolean awaitIdle(Duration longest) throws InterruptedException {
        return running.awaitIdle(longest);
    }
}
