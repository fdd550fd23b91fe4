package dev.baton.idempotency;

import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/**
 * How long the guards remember. What they have forgotten is applied again if it comes again, so this must be longer than a
 * message can be on its way.
 */
public final class GuardRetention {
    private static final int BATCH = 5_000;
    // At most about 5,000 rows too: a page of 8 kB holds 80 with the ids of events, and 160 with very short ones.
    private static final int PAGES = 32;

    private static final String MESSAGES_PAGES =
            "SELECT pg_relation_size('processed_messages') / current_setting('block_size')::int";
    // Page by page, so that the marks need no index on their age: that index would cost each mark more than this costs.
    static final String PURGE_MESSAGES = purge(
            "processed_messages",
            "ctid >= ('(' || ? || ',0)')::tid AND ctid < ('(' || ? || ',0)')::tid AND processed_at",
            "");
    // A run that is at work keeps its key, however old that is.
    private static final String PURGE_REQUESTS =
            purge("request_keys", "coalesce(finished_at, greatest(lease_end, started_at))", " LIMIT " + BATCH);

    private final Duration retention;

    private GuardRetention(Duration retention) {
        this.retention = retention;
    }

    /**
     * Checks that the memory is long enough.
     *
     * @param retention how long to remember
     * @param retryHorizon how long after its first attempt a message is tried at the latest, such as
     *     {@code retryPolicy.horizon().worst()}, and what postponements and throttling may add to that: up to a day per start
     *     behind a service that answers with {@code Retry-After}
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
     * Forgets what is older, in batches of about 5,000 rows, each its own transaction. Any number of processes may do so at
     * once. Reads the table of messages once from its first page to its last; once an hour or a day is often enough.
     *
     * <p><b>Delivery.</b> After a crash in the middle the next call begins anew and finds what is left.
     *
     * @return how many were forgotten
     */
    public long purge(Jdbi jdbi) {
        return purgeMessages(jdbi) + purgeRequests(jdbi);
    }

    private long purgeMessages(Jdbi jdbi) {
        long pages = jdbi.withHandle(
                handle -> handle.select(MESSAGES_PAGES).mapTo(Long.class).one());
        long all = 0;
        for (long page = 0; page < pages; page += PAGES) {
            all += delete(jdbi, PURGE_MESSAGES, page, page + PAGES, retention.toMillis());
        }
        return all;
    }

    private long purgeRequests(Jdbi jdbi) {
        long all = 0;
        int deleted;
        do {
            deleted = delete(jdbi, PURGE_REQUESTS, retention.toMillis());
            all += deleted;
        } while (deleted == BATCH);
        return all;
    }

    private static int delete(Jdbi jdbi, String sql, Object... arguments) {
        return jdbi.withHandle(handle -> handle.execute(sql, arguments));
    }

    private static String purge(String table, String age, String limit) {
        return "DELETE FROM " + table + " WHERE ctid = ANY (ARRAY(SELECT ctid FROM " + table + " WHERE " + age
                + " < now() - ? * interval '1 ms'" + limit + " FOR UPDATE SKIP LOCKED))";
    }
}
