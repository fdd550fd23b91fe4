package dev.baton.redis;

import java.util.function.IntSupplier;

/**
 * How many jobs a worker still asks for: one per free slot, and some ahead, less those that it has asked for and that are
 * under way. Thread-safe.
 */
final class Demand {
    private final int slots;
    private final IntSupplier running;
    private boolean taking = true;
    private int holds;
    private int ahead;
    private int underWay;

    /** @param running how many jobs the worker has */
    Demand(int slots, IntSupplier running) {
        this.slots = slots;
        this.running = running;
    }

    /** Nothing is asked for any more. */
    synchronized void stopTaking() {
        taking = false;
    }

    /** Nothing is asked for until {@link #unhold}. */
    synchronized void hold() {
        holds++;
    }

    synchronized void unhold() {
        holds--;
    }

    synchronized boolean mayTake() {
        return taking && holds == 0;
    }

    /** Whether no job can arrive that was asked for before this call. */
    synchronized boolean nothingUnderWay() {
        return underWay == 0;
    }

    /** How many jobs may be taken beyond the slots. */
    synchronized void ahead(int most) {
        ahead = most;
    }

    /** Slots for which nothing is asked yet. */
    synchronized int free() {
        return mayTake() ? Math.max(0, slots - running.getAsInt() - underWay) : 0;
    }

    /** What one exchange may ask for; until it is {@link #answered}, nobody else asks for that. */
    synchronized Share next() {
        int free = Math.min(free(), Exchange.LIMIT);
        int more = mayTake() ? Math.max(0, slots + ahead - running.getAsInt() - underWay - free) : 0;
        Share share = new Share(free, Math.min(more, Exchange.LIMIT - free));
        underWay += share.total();
        return share;
    }

    /** The jobs that the queue gave for it count by themselves now. */
    synchronized void answered(Share share) {
        underWay -= share.total();
    }

    /**
     * What one exchange asks for; at most {@link Exchange#LIMIT} together.
     *
     * @param free for slots
     * @param ahead beyond them
     */
    record Share(int free, int ahead) {
        int total() {
            return free + ahead;
        }
    }
}
