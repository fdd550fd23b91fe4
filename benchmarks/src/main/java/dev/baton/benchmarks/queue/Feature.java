package dev.baton.benchmarks.queue;

import dev.baton.job.NewJob;
import dev.baton.redis.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What a queue may be asked for beside running jobs. */
enum Feature {
    PLAIN,
    /** A thousand ordering keys. */
    KEYS,
    /** A limit far above the load. */
    LIMITER,
    PRIORITIES,
    /** Finished jobs are kept, the last thousand. */
    KEEP;

    static final List<Feature> ROWS = List.of(KEYS, LIMITER, PRIORITIES, KEEP);

    private static final int NUMBER_OF_KEYS = 1_000;
    private static final int KEPT = 1_000;
    private static final int LEVELS = 10;

    String row() {
        return "process.c100." + name().toLowerCase(Locale.ROOT);
    }

    void apply(QueueSettings settings) {
        if (this == LIMITER) {
            settings.limit(10_000, Duration.ofMillis(10));
        } else if (this == KEEP) {
            settings.keepCompleted(KEPT, Duration.ofHours(1));
        }
    }

    NewJob shape(NewJob job) {
        return switch (this) {
            case KEYS -> job.orderedBy("key-" + Math.floorMod(job.id().hashCode(), NUMBER_OF_KEYS));
            case PRIORITIES -> job.priority(Math.floorMod(job.id().hashCode(), LEVELS));
            default -> job;
        };
    }
}
