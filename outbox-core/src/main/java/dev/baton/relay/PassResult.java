package dev.baton.relay;

/**
 * What one pass of a relay did.
 *
 * @param standby whether another relay was at work in every shard, so that nothing was done
 * @param published how many events were marked as published
 * @param healed how many were handed over again to sinks that had lost them
 * @param refused how many were put aside
 * @param more whether there is certainly more to do
 */
public record PassResult(boolean standby, int published, int healed, int refused, boolean more) {
    static final PassResult STANDBY = new PassResult(true, 0, 0, 0, false);
    static final PassResult AGAIN = new PassResult(false, 0, 0, 0, true);

    PassResult plus(PassResult other) {
        return new PassResult(
                standby && other.standby,
                published + other.published,
                healed + other.healed,
                refused + other.refused,
                more || other.more);
    }
}
