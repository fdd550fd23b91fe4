package dev.baton.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many jobs of a queue are in each state at one moment, and how often each thing happened since the queue began. The
 * totals are kept in Redis, so they cover all workers and survive them.
 *
 * @param ready wait for a free slot
 * @param delayed wait for their time
 * @param leased are held by a worker
 * @param dead wait for the dead-letter store
 * @param completed ended well
 * @param retried failed and were tried again
 * @param postponed were told to come later
 * @param throttled found the quota spent and held the queue
 * @param released were handed back unharmed: by a worker that stopped, or that does not know their name
 * @param buried died
 * @param reclaimed lost their worker
 * @param lost settlements and renewals that were refused because the lease had ended
 */
public record QueueCounts(
        long ready,
        long delayed,
        long leased,
        long dead,
        long completed,
        long retried,
        long postponed,
        long throttled,
        long released,
        long buried,
        long reclaimed,
        long lost) {

    /** Jobs that are still to end, in whatever state. */
    public long pending() {
        return ready + delayed + leased + dead;
    }

    static QueueCounts of(List<?> answer) {
        Map<String, Long> totals = new HashMap<>();
        for (int i = 4; i < answer.size(); i += 2) {
            totals.put((String) answer.get(i), Long.parseLong((String) answer.get(i + 1)));
        }
        return new QueueCounts(
                (Long) answer.get(0),
                (Long) answer.get(1),
                (Long) answer.get(2),
                (Long) answer.get(3),
                totals.getOrDefault("complete", 0L),
                totals.getOrDefault("retry", 0L),
                totals.getOrDefault("postpone", 0L),
                totals.getOrDefault("throttle", 0L),
                totals.getOrDefault("release", 0L),
                totals.getOrDefault("bury", 0L),
                totals.getOrDefault("reclaim", 0L),
                totals.getOrDefault("lost", 0L));
    }
}
