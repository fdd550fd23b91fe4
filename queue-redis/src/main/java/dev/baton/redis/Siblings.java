package dev.baton.redis;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other partitions of a worker's queue: a quota that a handler has met is that of all of them. Thread-safe.
 *
 * <p><b>Delivery.</b> They are told before the partition itself is. One that cannot be reached, or that a crash leaves out, goes on
 * until its own jobs meet the quota.
 */
final class Siblings {
    /** Nodes that hang must not hold the handler's thread for as long as there are partitions. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Siblings.class);

    private final List<RedisJobQueue> queues;

    /** @param queues none for a queue without partitions */
    Siblings(List<RedisJobQueue> queues) {
        this.queues = List.copyOf(queues);
    }

    /** No job of them starts for so long; waits for Redis, once for each, but gives up after a few seconds. */
    void throttle(Duration duration) {
        if (duration.toMillis() < 1) {
            return;
        }
        long began = System.nanoTime();
        for (RedisJobQueue queue : queues) {
            if (System.nanoTime() - began > LONGEST.toNanos()) {
                log.warn("{} and those after it were not told to wait {}: it took too long", queue.name(), duration);
                return;
            }
            try {
                queue.settings().throttle(duration);
            } catch (RuntimeException e) {
                log.warn("{} could not be told to wait {}; it will meet the quota itself", queue.name(), duration, e);
            }
        }
    }
}
