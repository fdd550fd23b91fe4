package dev.baton.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a worker says and hears in its exchanges: it tells what ended, and runs the jobs that it gets.
 *
 * <p>A request whose answer is missing is kept and sent again as it was, before anything new: so no settlement is lost and
 * no job is taken that nobody runs. One thread.
 */
final class Conversation {
    private static final Logger log = LoggerFactory.getLogger(Conversation.class);

    private final Exchange exchange;
    private final Attempts attempts;
    private final Duration lease;
    private final Worker worker;
    private @Nullable Unanswered unanswered;

    Conversation(Exchange exchange, Attempts attempts, Duration lease, Worker worker) {
        this.exchange = exchange;
        this.attempts = attempts;
        this.lease = lease;
        this.worker = worker;
    }

    boolean isUnanswered() {
        return unanswered != null;
    }

    /** Whether one beside the first has something to say: during a silence only what has no answer. */
    boolean mayGoOn() {
        return isUnanswered() || !attempts.silence().lasts();
    }

    /** Whether there are slots for which nobody asks at present. */
    boolean hasFree() {
        return attempts.demand().free() > 0;
    }

    /** One exchange; the renewals are asked for only if it is a new one, which takes them along. */
    Answered exchange(Supplier<List<Settlement>> renewals) {
        long began = System.nanoTime();
        Unanswered sent = unanswered;
        if (sent == null) {
            sent = next(renewals.get(), began);
            unanswered = sent;
        }
        Exchange.Reply reply = send(sent);
        unanswered = null;
        attempts.silence().answered();
        Answered answered = new Answered(sent.request(), reply, System.nanoTime() - began);
        try {
            hear(answered, LeaseEnd.of(reply, sent.askedAt(), began - sent.askedAt(), lease));
        } finally {
            // Not before its jobs count as running, or they would be asked for twice.
            attempts.exchanged(sent.share());
        }
        return answered;
    }

    private Exchange.Reply send(Unanswered sent) {
        try {
            return exchange.send(sent.request());
        } catch (RuntimeException | Error e) {
            attempts.silence().begins(sent.askedAt());
            unanswered = new Unanswered(sent.request().withoutReclaim(), sent.share(), sent.askedAt());
            throw e;
        }
    }

    private Unanswered next(List<Settlement> renewals, long askedAt) {
        List<Settlement> settlements = new ArrayList<>(renewals);
        int room = Exchange.LIMIT - settlements.size();
        boolean reclaims = attempts.silence().asks(attempts::countEnds, room);
        settlements.addAll(attempts.nextSettlements(room));
        Demand.Share share = attempts.demand().next();
        Exchange.Request request = exchange.request(settlements, share.free(), share.ahead());
        return new Unanswered(reclaims ? request : request.withoutReclaim(), share, askedAt);
    }

    private void hear(Answered answered, LeaseEnd leaseEnd) {
        report(answered.request().settlements(), answered.reply().held(), leaseEnd);
        answered.reply().reclaimed().forEach(id -> attempts.listeners().tell(listener -> listener.reclaimed(id)));
        answered.reply().taken().forEach(taken -> worker.start(taken, leaseEnd));
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

    /** What the conversation needs of the worker around it. */
    interface Worker {
        /** Runs a taken job. */
        void start(Exchange.Taken taken, LeaseEnd leaseEnd);

        /** A job is dead now. */
        void buried();
    }

    /**
     * A request until its answer is there.
     *
     * @param askedAt before it is sent for the first time, by {@link System#nanoTime}
     */
    private record Unanswered(Exchange.Request request, Demand.Share share, long askedAt) {}

    /** An exchange that was answered. */
    record Answered(Exchange.Request request, Exchange.Reply reply, long nanos) {
        /** Whether it brought all that it asked for. */
        boolean tookAll() {
            return request.wanted() > 0 && reply.taken().size() == request.wanted();
        }

        /** Whether it carried as much as an exchange can, one way or the other. */
        boolean isFull() {
            return reply.taken().size() == Exchange.LIMIT
                    || request.settlements().size() == Exchange.LIMIT;
        }
    }
}
