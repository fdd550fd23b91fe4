package dev.baton.redis;

/**
 * How many jobs a worker still asks for: one per free slot, and some ahead, less those that it has asked for and that are
 * under way. Thread-safe.
 */
final class Demand {
    private final int slots;
    private final Attempts attempts;
    private volatile boolean taking = true;
    private int ahead;
    private int underWay;

    Demand(int slots, Attempts attempts) {
        this.slots = slots;
        this.attempts = attempts;
    }

    void stopTaking() {
        taking = false;
    }

    /** How many jobs may be taken beyond the slots. */
    synchronized void ahead(int most) {
        ahead = most;
    }

    /** Slots for which nothing is asked yet. */
    synchronized int free() {
        return taking ? Math.max(0, slots - attempts.running() - underWay) : 0;
    }

    /** What one exchange may ask for; until it is {@link #answered}, nobody else asks for that. */
    synchronized Share next() {
        int free = Math.min(free(), Exchange.LIMIT);
        int more = taking ? Math.max(0, slots + ahead - attempts.running() - underWay - free) : 0;
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
