package dev.baton.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many jobs of a queue are in each state at one moment, and how often each thing happened since the queue began. The
 * totals are kept in Redis, so they cover all workers and survive them.
 *
 * @param ready wait for a free slot
 * @param delayed wait for their time
 * @param blocked wait behind their ordering key
 * @param leased are held by a worker
 * @param dead wait for the dead-letter store
 * @param kept ended well and are kept on request
 * @param oldestReady how long the oldest ready job has been in the queue; zero if there is none
 * @param totals how often each thing happened
 */
public record QueueCounts(
        long ready,
        long delayed,
        long blocked,
        long leased,
        long dead,
        long kept,
        Duration oldestReady,
        QueueTotals totals) {
    private static final int TOTALS = 7;

    /** Jobs that are still to end, in whatever state. */
    public long pending() {
        return ready + delayed + blocked + leased + dead;
    }

    /** Of two queues together; the older of the two oldest ready jobs. */
    QueueCounts plus(QueueCounts other) {
        return new QueueCounts(
                ready + other.ready,
                delayed + other.delayed,
                blocked + other.blocked,
                leased + other.leased,
                dead + other.dead,
                kept + other.kept,
                oldestReady.compareTo(other.oldestReady) > 0 ? oldestReady : other.oldestReady,
                totals.plus(other.totals));
    }

    static QueueCounts of(List<?> answer) {
        Map<String, Long> totals = new HashMap<>();
        for (int i = TOTALS; i < answer.size(); i += 2) {
            totals.put((String) answer.get(i), Long.parseLong((String) answer.get(i + 1)));
        }
        return new QueueCounts(
                (Long) answer.get(0),
                (Long) answer.get(1),
                (Long) answer.get(2),
                (Long) answer.get(3),
                (Long) answer.get(4),
                (Long) answer.get(5),
                Duration.ofMillis(Math.max(0, (Long) answer.get(6))),
                QueueTotals.of(totals));
    }
}
