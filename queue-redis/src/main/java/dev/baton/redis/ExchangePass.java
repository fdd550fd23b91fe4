package dev.baton.redis;

import dev.baton.internal.Pass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heart of a worker: one exchange with the queue. It carries what ended since the last one and the renewals that are
 * due, and brings as many jobs as there are free slots.
 *
 * <p>A request whose answer is missing is kept and sent again as it was, before anything new: so no settlement is lost and
 * no job is taken that nobody runs.
 */
final class ExchangePass implements Pass {
    private static final Logger log = LoggerFactory.getLogger(ExchangePass.class);

    /** Without any hint from Redis an idle worker looks this often. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(5);

    /** Ends wait for others so long while there are jobs for all slots. */
    private static final Duration LINGER = Duration.ofMillis(1);

    /** An executor that takes nothing is asked again after this. */
    private static final Duration REFUSED = Duration.ofSeconds(1);

    private final Exchange exchange;
    private final Attempts attempts;
    private final Slots slots;
    private final Prefetch prefetch;
    private final Worker worker;
    private final int concurrency;
    private final Duration lease;
    private final long renewEveryNanos;

    private volatile boolean taking = true;
    private Exchange.@Nullable Request unanswered;
    private long renewedAt = System.nanoTime();

    ExchangePass(Exchange exchange, Attempts attempts, Slots slots, int concurrency, Duration lease, Worker worker) {
        this.exchange = exchange;
        this.attempts = attempts;
        this.slots = slots;
        this.prefetch = new Prefetch(concurrency);
        this.concurrency = concurrency;
        this.worker = worker;
        this.lease = lease;
        // Two renewals may fail before a lease ends.
        this.renewEveryNanos = lease.toNanos() / 3;
    }

    void stopTaking() {
        taking = false;
    }

    /** Whether something must still be told to the queue. */
    boolean hasNews() {
        return unanswered != null || attempts.hasEnds();
    }

    @Override
    public Duration run() {
        Exchange.Request request = unanswered != null ? unanswered : next();
        unanswered = request;
        long asked = System.nanoTime();
        Exchange.Reply reply = exchange.send(request);
        unanswered = null;
        prefetch.exchanged(System.nanoTime() - asked, attempts.jobs(), attempts.jobNanos());
        attempts.enough(prefetch.ahead() / 2);
        slots.expect(prefetch.nanosPerJob());
        LeaseEnd leaseEnd = LeaseEnd.of(reply, asked, lease);
        report(request.settlements(), reply.held(), leaseEnd);
        reply.reclaimed().forEach(id -> attempts.listeners().tell(listener -> listener.reclaimed(id)));
        reply.taken().forEach(taken -> worker.start(taken, leaseEnd));
        return rest(request, reply);
    }

    private Exchange.Request next() {
        giveBackWhatWaits();
        List<Settlement> settlements = new ArrayList<>(renewals());
        settlements.addAll(attempts.nextSettlements(Exchange.LIMIT - settlements.size()));
        int ahead = taking ? Math.max(0, prefetch.ahead() - slots.excess()) : 0;
        return exchange.request(settlements, free(), ahead);
    }

    /** No job waits here for long while another worker may have a slot for it. */
    private void giveBackWhatWaits() {
        if (slots.refused()) {
            attempts.giveBack(slots.waiting(), REFUSED);
        } else if (slots.excess() > 0 && waitedTooLong()) {
            prefetch.tooFar();
            attempts.giveBack(slots.excess(), Duration.ZERO);
        }
    }

    private boolean waitedTooLong() {
        return slots.first(1).stream().anyMatch(first -> first.ageNanos() > Prefetch.LONGEST_WAIT_NANOS);
    }

    private List<Settlement> renewals() {
        if (System.nanoTime() - renewedAt < renewEveryNanos) {
            return List.of();
        }
        // From the moment of sending: a slow answer cannot make a lease look longer than it is.
        renewedAt = System.nanoTime();
        return attempts.leasesToRenew().stream().map(Settlement::renew).toList();
    }

    private int free() {
        return taking ? Math.max(0, concurrency - attempts.running()) : 0;
    }

    private Duration rest(Exchange.Request request, Exchange.Reply reply) {
        boolean tookAll = request.wanted() > 0 && reply.taken().size() == request.wanted();
        int free = free();
        boolean enough = slots.waiting() > prefetch.ahead() / 2;
        if (!enough && (attempts.hasEnds() || (free > 0 && tookAll))) {
            return Duration.ZERO;
        }
        Duration rest = shorter(LONGEST_REST, lease);
        if (attempts.hasEnds()) {
            rest = LINGER;
        } else if (slots.waiting() > 0) {
            rest = Duration.ofNanos(Prefetch.LONGEST_WAIT_NANOS);
        }
        if (attempts.running() > 0) {
            rest = shorter(rest, Duration.ofNanos(renewedAt + renewEveryNanos - System.nanoTime()));
        }
        if (free > 0) {
            worker.hungry();
            rest = reply.nextDueMs() < 0 ? rest : shorter(rest, Duration.ofMillis(reply.nextDueMs()));
        }
        return rest;
    }

    private void report(List<Settlement> settlements, List<Boolean> held, LeaseEnd leaseEnd) {
        for (int i = 0; i < held.size(); i++) {
            Settlement settlement = settlements.get(i);
            if (!held.get(i)) {
                String id = settlement.lease().id();
                log.warn("lease of job {} was lost before {}; another worker may have it", id, settlement.verb());
                attempts.lost(settlement.lease());
            } else if (settlement.isRenewal()) {
                attempts.renewed(settlement.lease(), leaseEnd);
            } else {
                attempts.settled(settlement.lease());
                if (settlement.isBurial()) {
                    worker.buried();
                }
            }
        }
    }

    /** What the pass needs of the worker around it. */
    interface Worker {
        /** Runs a taken job. */
        void start(Exchange.Taken taken, LeaseEnd leaseEnd);

        /** Slots stay free: somebody should wait for the queue's hint. */
        void hungry();

        /** A job is dead now. */
        void buried();
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
