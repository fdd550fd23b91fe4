package dev.baton.redis;

import java.util.Map;

/**
 * How often each thing happened since the queue began, over all workers.
 *
 * @param completed ended well
 * @param retried failed and were tried again
 * @param postponed were told to come later
 * @param throttled found the quota spent and held the queue
 * @param released were handed back without an attempt: by a worker that stopped, or had taken more than it could begin
 * @param unknown were handed back unharmed by a worker that has no handler for their name
 * @param buried died
 * @param reclaimed lost their worker
 * @param lost settlements and renewals that were refused because the lease had ended
 */
public record QueueTotals(
        long completed,
        long retried,
        long postponed,
        long throttled,
        long released,
        long unknown,
        long buried,
        long reclaimed,
        long lost) {

    QueueTotals plus(QueueTotals other) {
        return new QueueTotals(
                completed + other.completed,
                retried + other.retried,
                postponed + other.postponed,
                throttled + other.throttled,
                released + other.released,
                unknown + other.unknown,
                buried + other.buried,
                reclaimed + other.reclaimed,
                lost + other.lost);
    }

    static QueueTotals of(Map<String, Long> byVerb) {
        return new QueueTotals(
                byVerb.getOrDefault("complete", 0L),
                byVerb.getOrDefault("retry", 0L),
                byVerb.getOrDefault("postpone", 0L),
                byVerb.getOrDefault("throttle", 0L),
                byVerb.getOrDefault("release", 0L) + byVerb.getOrDefault("abandon", 0L),
                byVerb.getOrDefault("unknown", 0L),
                byVerb.getOrDefault("bury", 0L),
                byVerb.getOrDefault("reclaim", 0L),
                byVerb.getOrDefault("lost", 0L));
    }
}
