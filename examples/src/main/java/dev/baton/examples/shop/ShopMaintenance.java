package dev.baton.examples.shop;

import dev.baton.deadletter.DeadLetterArchive;
import dev.baton.deadletter.LetterFilter;
import dev.baton.idempotency.GuardRetention;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import dev.baton.job.Schedules;
import java.time.Duration;
import java.time.ZoneId;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is swept out once a day: published events, closed dead letters, and the guard's memory of old messages. */
final class ShopMaintenance {
    private static final Logger log = LoggerFactory.getLogger(ShopMaintenance.class);

    private static final String DAILY_AT_THREE = "0 3 * * *";
    private static final ZoneId ZONE = ZoneId.of("Asia/Ho_Chi_Minh");

    /** As long as an event can be replayed. */
    private static final Duration EVENTS = Duration.ofDays(7);

    /** A message may be tried for hours and be sent back by hand after two weeks; only then may the guard forget it. */
    private static final Duration LETTERS = Duration.ofDays(14);

    private static final Duration MARKS = Duration.ofDays(30);
    private static final int BATCH = 1_000;

    private final Jdbi jdbi;

    ShopMaintenance(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** Puts the schedule in place; doing so at each start, by every process, changes nothing more. */
    static void schedule(Schedules schedules) {
        schedules.upsert(Schedule.cron("outbox-cleanup", DAILY_AT_THREE, ZONE, NewJob.of(ShopQueues.CLEAN_UP, "{}")));
    }

    /** In small transactions; whatever a crash leaves is swept out the next time. */
    void cleanUp() {
        JdbiOutboxStore outbox = new JdbiOutboxStore(jdbi);
        long events = 0;
        int deleted;
        do {
            deleted = outbox.clean(EVENTS, BATCH);
            events += Math.max(0, deleted);
        } while (deleted == BATCH);
        Duration worstRetry =
                QueueOptions.of(ShopQueues.LOYALTY, 0).retry().horizon().worst();
        long marks = GuardRetention.of(MARKS, worstRetry, LETTERS).purge(jdbi);
        log.info("cleaned up: {} events, {} marks of the guard, {} dead letters", events, marks, letters());
    }

    private long letters() {
        DeadLetterArchive archive = new JdbiDeadLetterStore(jdbi);
        return ShopQueues.ALL.stream()
                .filter(queue -> !QueueOptions.of(queue, 0).lettersKeptFor().isNegative())
                .mapToLong(queue -> archive.purge(
                                LetterFilter.ALL.queue(queue),
                                QueueOptions.of(queue, 0).lettersKeptFor())
                        .deleted())
                .sum();
    }
}
