package dev.baton.redis;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * A time in which a worker begins no job and asks for none: for good from its stop on, and from a throttle until the queue knows
 * of it. What waits for a slot and what is still under way from Redis goes back in one go, once all of it has arrived, so that it
 * is in the order of the queue again; a throttled job is told of behind them, so it is in front. Thread-safe.
 */
final class Pause {
    private final Slots slots;
    private final Demand demand;
    private final Runnable giveBackWaiting;
    private final Consumer<End> tell;
    private final Runnable goOn;
    private final Queue<End> throttles = new ArrayDeque<>();
    private final Object beginning = new Object();

    /**
     * Not yet.
     *
     * @param giveBackWaiting hands back what waits for a slot
     * @param tell the queue of an end
     * @param goOn called when it is over
     */
    Pause(Slots slots, Demand demand, Runnable giveBackWaiting, Consumer<End> tell, Runnable goOn) {
        this.slots = slots;
        this.demand = demand;
        this.giveBackWaiting = giveBackWaiting;
        this.tell = tell;
        this.goOn = goOn;
    }

    /** Runs this unless there is a pause: once a pause has begun, all that have begun before it are known. */
    void unlessPaused(Runnable begin) {
        synchronized (beginning) {
            if (!slots.closed()) {
                begin.run();
            }
        }
    }

    /** From now on, and for good. */
    void forGood() {
        demand.stopTaking();
        close();
        goOnIfAllArrived();
    }

    /** Until the queue has {@linkplain #told been told}. */
    void throttled(End end) {
        demand.hold();
        close();
        synchronized (throttles) {
            throttles.add(end);
        }
        goOnIfAllArrived();
    }

    /** The queue knows of this end, or will not hear of it. */
    void told(End end) {
        if (end.settlement().isThrottle()) {
            demand.unhold();
            goOnIfAllArrived();
        }
    }

    /** An exchange was answered, and its jobs wait for slots. */
    void arrived(Demand.Share share) {
        demand.answered(share);
        goOnIfAllArrived();
    }

    private void close() {
        synchronized (beginning) {
            slots.close();
        }
    }

    private void goOnIfAllArrived() {
        synchronized (throttles) {
            if (!slots.closed() || !demand.nothingUnderWay()) {
                return;
            }
            giveBackWaiting.run();
            for (End end = throttles.poll(); end != null; end = throttles.poll()) {
                tell.accept(end);
            }
            if (demand.mayTake()) {
                slots.open();
                goOn.run();
            }
        }
    }
}
