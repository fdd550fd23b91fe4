package dev.baton.examples.crash;

/** Where a process dies; the rows of the table in {@code docs/guarantees.md}. */
enum CrashPoint {
    WRITER_BEFORE_COMMIT,
    WRITER_AFTER_COMMIT,
    RELAY_BEFORE_MARK,
    WORKER_BEFORE_EFFECT,
    WORKER_IN_EFFECT,
    WORKER_AFTER_EFFECT,
    DEATH_BEFORE_STORE,
    DEATH_AFTER_STORE,
    REDRIVE_BEFORE_COMMIT,
    REDRIVE_AFTER_COMMIT,
    REFUSED_BEFORE_STORE,
    REFUSED_AFTER_STORE,
    NOWHERE;

    static final int HALTED = 77;

    /** Dies at once, as from SIGKILL, if this is the place. */
    void reached(CrashPoint place) {
        if (this == place) {
            Runtime.getRuntime().halt(HALTED);
        }
    }
}
