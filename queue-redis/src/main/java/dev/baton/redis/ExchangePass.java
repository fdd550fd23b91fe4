package dev.baton.redis;

import dev.baton.internal.Pass;
import java.time.Duration;
import java.time.Instant;
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

    private final Exchange exchange;
    private final Attempts attempts;
    private final Worker worker;
    private final int concurrency;
    private final Duration lease;
    private final long renewEveryNanos;

    private volatile boolean taking = true;
    private Exchange.@Nullable Request unanswered;
    private long renewedAt = System.nanoTime();

    ExchangePass(Exchange exchange, Attempts attempts, int concurrency, Duration lease, Worker worker) {
        this.exchange = exchange;
        this.attempts = attempts;
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
        Exchange.Reply reply = exchange.send(request);
        unanswered = null;
        Instant leaseEnd = Instant.ofEpochMilli(reply.now()).plus(lease);
        report(request.settlements(), reply.held(), leaseEnd);
        reply.reclaimed().forEach(id -> attempts.listeners().tell(listener -> listener.reclaimed(id)));
        reply.taken().forEach(taken -> worker.start(taken, leaseEnd));
        return rest(request, reply);
    }

    private Exchange.Request next() {
        List<Settlement> settlements = new ArrayList<>(renewals());
        settlements.addAll(attempts.nextSettlements(Exchange.LIMIT - settlements.size()));
        return exchange.request(settlements, free());
    }

    private List<Settlement> renewals() {
        if (System.nanoTime() - renewedAt < renewEveryNanos) {
            return List.of();
        }
        // From the moment of sending: a slow answer cannot make a lease look longer than it is.
        renewedAt = System.nanoTime();
        return attempts.leases().stream().map(Settlement::renew).toList();
    }

    private int free() {
        return taking ? Math.max(0, concurrency - attempts.running()) : 0;
    }

    private Duration rest(Exchange.Request request, Exchange.Reply reply) {
        boolean tookAll = request.wanted() > 0 && reply.taken().size() == Math.min(request.wanted(), Exchange.LIMIT);
        int free = free();
        if (attempts.hasEnds() || (free > 0 && tookAll)) {
            return Duration.ZERO;
        }
        Duration rest = LONGEST_REST;
        if (attempts.running() > 0) {
            rest = shorter(rest, Duration.ofNanos(renewedAt + renewEveryNanos - System.nanoTime()));
        }
        if (free > 0) {
            worker.hungry();
            rest = reply.nextDueMs() < 0 ? rest : shorter(rest, Duration.ofMillis(reply.nextDueMs()));
        }
        return rest;
    }

    private void report(List<Settlement> settlements, List<Boolean> held, Instant leaseEnd) {
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
        void start(Exchange.Taken taken, Instant leaseEnd);

        /** Slots stay free: somebody should wait for the queue's hint. */
        void hungry();

        /** A job is dead now. */
        void buried();
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
