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

    /** Tries again while somebody uses the table; each try gives way after its lock timeout. */
    static void patiently(Runnable work) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                work.run();
                return;
            } catch (JdbiException e) {
                if (!isLockTimeout(e) || System.nanoTime() - deadline > 0) {
                    throw e;
                }
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }

    private static boolean isLockTimeout(JdbiException e) {
        return e.getCause() instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState());
    }
}
