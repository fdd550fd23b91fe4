package dev.baton.redis;

import dev.baton.internal.Pass;
import java.time.Duration;
import java.util.List;

/**
 * The heart of a worker: one exchange with the queue. It carries what ended since the last one and the renewals that are
 * due, and brings as many jobs as there are free slots, and some ahead.
 */
final class ExchangePass implements Pass {
    /** Without any hint from Redis an idle worker looks this often. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(5);

    /** Ends wait for others so long while there are jobs for all slots. */
    private static final Duration LINGER = Duration.ofMillis(1);

    /** A worker that is full looks for others at most this often. */
    private static final long FOR_OTHERS_MS = 20;

    /** An executor that takes nothing is asked again after this. */
    private static final Duration REFUSED = Duration.ofSeconds(1);

    private final Conversation conversation;
    private final Attempts attempts;
    private final Slots slots;
    private final Prefetch prefetch;
    private final Worker worker;
    private final Duration lease;
    private final long renewEveryNanos;
    private long renewedAt = System.nanoTime();

    ExchangePass(
            Conversation conversation,
            Attempts attempts,
            Slots slots,
            Prefetch prefetch,
            Duration lease,
            Worker worker) {
        this.conversation = conversation;
        this.attempts = attempts;
        this.slots = slots;
        this.prefetch = prefetch;
        this.worker = worker;
        this.lease = lease;
        // Two renewals may fail before a lease ends.
        this.renewEveryNanos = lease.toNanos() / 3;
    }

    /** Whether something must still be told to the queue. */
    boolean hasNews() {
        return conversation.isUnanswered() || attempts.hasEnds();
    }

    @Override
    public Duration run() {
        if (!conversation.isUnanswered()) {
            giveBackWhatWaits();
        }
        Conversation.Answered answered = conversation.exchange(this::renewals);
        prefetch.exchanged(answered.nanos(), attempts.jobs(), attempts.jobNanos());
        attempts.demand().ahead(prefetch.ahead());
        attempts.enough(prefetch.ahead() / 2);
        slots.expect(prefetch.nanosPerJob());
        if (answered.isFull()) {
            worker.busy();
        }
        return rest(answered);
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

    private Duration rest(Conversation.Answered answered) {
        int free = attempts.demand().free();
        boolean enough = slots.waiting() > prefetch.ahead() / 2;
        if (!enough && (attempts.hasEnds() || (free > 0 && answered.tookAll()))) {
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
        if (!answered.request().reclaims()) {
            rest = shorter(rest, attempts.silence().untilReclaim());
        }
        if (free > 0) {
            worker.hungry();
        }
        long nextDueMs = answered.reply().nextDueMs();
        if (nextDueMs >= 0) {
            // Others may sleep, as the hint came to this one: also if it is full it looks then, and wakes one of them.
            rest = shorter(rest, Duration.ofMillis(free > 0 ? nextDueMs : Math.max(nextDueMs, FOR_OTHERS_MS)));
        }
        return rest;
    }

    /** What the pass needs of the worker around it. */
    interface Worker {
        /** Slots stay free: somebody should wait for the queue's hint. */
        void hungry();

        /** There is more to do than one exchange at a time carries. */
        void busy();
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
