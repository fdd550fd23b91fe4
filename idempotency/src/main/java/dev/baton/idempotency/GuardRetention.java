package dev.baton.idempotency;

import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * How long the guards remember. What they have forgotten is applied again if it comes again, so this must be longer than a
 * message can be on its way.
 */
public final class GuardRetention {
    private static final int BATCH = 5_000;

    private static final String PURGE_MESSAGES = purge("processed_messages", "processed_at");
    // A run that is at work keeps its key, however old that is.
    private static final String PURGE_REQUESTS =
            purge("request_keys", "coalesce(finished_at, greatest(lease_end, started_at))");

    private final Duration retention;

    private GuardRetention(Duration retention) {
        this.retention = retention;
    }

    /**
     * Checks that the memory is long enough.
     *
     * @param retention how long to remember
     * @param retryHorizon how long after its first attempt a message is tried at the latest, such as
     *     {@code retryPolicy.horizon().worst()}
     * @param deadLetterWindow how long after its death a message can be sent back; not less than the outbox's retention, as a
     *     queue that lost its data gets all of that again
     * @throws IllegalArgumentException if the retention is not longer than both together
     */
    public static GuardRetention of(Duration retention, Duration retryHorizon, Duration deadLetterWindow) {
        Duration least = retryHorizon.plus(deadLetterWindow);
        if (retention.compareTo(least) <= 0) {
            throw new IllegalArgumentException(
                    "retention is " + retention + "; it must be longer than the retry horizon ("
                            + retryHorizon + ") plus the dead-letter window (" + deadLetterWindow
                            + "), or a message sent back late is applied twice");
        }
        return new GuardRetention(retention);
    }

    /**
     * Forgets what is older, in batches of 5,000 rows, each its own transaction. Any number of processes may do so at once.
     *
     * <p><b>Delivery.</b> After a crash in the middle the next call goes on.
     *
     * @return how many were forgotten
     */
    public long purge(Jdbi jdbi) {
        return purge(jdbi, PURGE_MESSAGES) + purge(jdbi, PURGE_REQUESTS);
    }

    private long purge(Jdbi jdbi, String sql) {
        long all = 0;
        int deleted;
        do {
            try (Handle handle = jdbi.open()) {
                deleted = handle.execute(sql, retention.toMillis(), BATCH);
            }
            all += deleted;
        } while (deleted == BATCH);
        return all;
    }

    private static String purge(String table, String age) {
        return "DELETE FROM " + table + " WHERE ctid = ANY (ARRAY(SELECT ctid FROM " + table + " WHERE " + age
                + " < now() - ? * interval '1 ms' LIMIT ? FOR UPDATE SKIP LOCKED))";
    }
}
