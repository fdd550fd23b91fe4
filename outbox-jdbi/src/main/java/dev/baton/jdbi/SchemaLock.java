package dev.baton.jdbi;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/** Lets one process at a time change the schema. */
final class SchemaLock {
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What a statement that changes a table in use may wait for its lock: whoever wants the table meanwhile waits behind it. */
    static final String LOCK_TIMEOUT = "SET LOCAL lock_timeout = '250ms'";

    /** Until it tries again; the others go on meanwhile. */
    private static final long GIVE_WAY_NANOS = TimeUnit.MILLISECONDS.toNanos(750);

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private SchemaLock() {}

    /**
     * Holds an advisory lock of the session. It is tried for, not waited for: a waiting statement has a snapshot, and an index
     * that is built concurrently waits for all snapshots, so the two would wait for each other.
     */
    static void hold(Handle handle, long lock, Runnable work) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!handle.createQuery("SELECT pg_try_advisory_lock(?)")
                .bind(0, lock)
                .mapTo(Boolean.class)
                .one()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("another process has been changing the outbox's schema for a minute");
            }
            LockSupport.parkNanos(REST_NANOS);
        }
        try {
            work.run();
        } finally {
            handle.createQuery("SELECT pg_advisory_unlock(?)")
                    .bind(0, lock)
                    .mapTo(Boolean.class)
                    .one();
        }
    }

    /** Tries again for a minute while somebody uses the table. */
    static void patiently(Runnable work) {
        patiently(work, PATIENCE_NANOS);
    }

    /**
     * Tries again while somebody uses the table; each try gives way after its {@linkplain #LOCK_TIMEOUT lock timeout}.
     *
     * @throws IllegalStateException if that did not help
     */
    static void patiently(Runnable work, long patienceNanos) {
        long deadline = System.nanoTime() + patienceNanos;
        while (true) {
            try {
                work.run();
                return;
            } catch (JdbiException e) {
                if (!isLockTimeout(e)) {
                    throw e;
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            "the outbox's tables could not be changed, as transactions used them for "
                                    + TimeUnit.NANOSECONDS.toSeconds(patienceNanos)
                                    + " s; nothing has changed. Find the oldest in pg_stat_activity by xact_start, end it, and"
                                    + " call migrate again",
                            e);
                }
                LockSupport.parkNanos(GIVE_WAY_NANOS);
            }
        }
    }

    private static boolean isLockTimeout(JdbiException e) {
        return e.getCause() instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState());
    }
}
