package dev.baton.redis;

import java.util.concurrent.TimeUnit;

/**
 * How many jobs a worker takes beyond its free slots, so that these need not wait for the next exchange: as many as they
 * will have finished by then, by Little's law (slots / time per job * time per exchange). Jobs that take longer than an
 * exchange are not taken ahead at all. One thread.
 */
final class Prefetch {
    /** A job that was taken ahead and has waited for so long goes back, for a worker that has a slot. */
    static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * For the exchanges that are under way, and what waits here meanwhile. With 600 and Redis 1 ms away a fifth less was done; with
     * 1,200 a tenth less where a million jobs wait: by the time a job ended, the caches of the server's processor had lost
     * its record.
     */
    static final int MOST = 4 * Exchange.LIMIT;

    /** An exchange brings jobs for the time until the one after the next is answered. */
    private static final double EXCHANGES = 2;

    /** The newest measurement counts for a quarter. */
    private static final double WEIGHT = 0.25;

    private final int slots;
    private double nanosPerJob = Double.POSITIVE_INFINITY;
    private double nanosPerExchange;
    private long lastJobs;
    private long lastNanos;

    Prefetch(int slots) {
        this.slots = slots;
    }

    /**
     * An exchange was answered.
     *
     * @param tookNanos how long that took
     * @param jobs that have run since the worker began
     * @param jobNanos how long they ran, all together
     */
    void exchanged(long tookNanos, long jobs, long jobNanos) {
        nanosPerExchange = nanosPerExchange == 0 ? tookNanos : average(nanosPerExchange, (double) tookNanos);
        if (jobs > lastJobs) {
            double perJob = Math.max(1, (double) (jobNanos - lastNanos) / (jobs - lastJobs));
            // Slower at once, faster by and by: to be wrong about slow jobs costs more.
            nanosPerJob = Double.isInfinite(nanosPerJob) ? perJob : Math.max(perJob, average(nanosPerJob, perJob));
            lastJobs = jobs;
            lastNanos = jobNanos;
        }
    }

    /** Jobs waited for too long. */
    void tooFar() {
        nanosPerJob = Math.max(nanosPerJob, (double) LONGEST_WAIT_NANOS);
    }

    double nanosPerJob() {
        return nanosPerJob;
    }

    int ahead() {
        double untilThen = Math.min(LONGEST_WAIT_NANOS / 2.0, EXCHANGES * nanosPerExchange);
        return (int) Math.min(MOST, slots * untilThen / nanosPerJob);
    }

    private static double average(double before, double now) {
        return before + WEIGHT * (now - before);
    }
}
