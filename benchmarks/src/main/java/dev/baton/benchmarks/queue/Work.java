package dev.baton.benchmarks.queue;

/**
 * What is to be measured, the same for both sides. BullMQ's script gets it as JSON.
 *
 * @param port of Redis
 * @param workerPort of Redis as the worker reaches it: the same, or a proxy before it
 * @param jobs that are timed
 * @param warmUp jobs done in the same way before, not timed
 * @param concurrency of the worker
 * @param bulk jobs per call
 * @param flights calls of bulk under way at once
 * @param trace text in the payload that brings it to its size
 */
record Work(
        Kind kind,
        int port,
        int workerPort,
        int jobs,
        int warmUp,
        int concurrency,
        int bulk,
        int flights,
        String trace) {
    private static final int BULK = 100;
    private static final int FLIGHTS = 8;
    private static final String SHORT = "t";

    /** Bytes of the payload of a job that stays in Redis. */
    static final int WAITING_PAYLOAD = 271;

    private static final String LONG = SHORT.repeat(147);

    /** A fifth of it is done before as a warm-up. */
    static Work of(Kind kind, int port, int jobs, int concurrency) {
        return new Work(kind, port, port, jobs, jobs / 5, concurrency, BULK, FLIGHTS, SHORT);
    }

    /** Jobs that stay in Redis: nothing is timed, so nothing is warmed up. */
    static Work waiting(int port, int jobs) {
        return new Work(Kind.WAITING, port, port, jobs, 0, 1, BULK, FLIGHTS, LONG);
    }

    Work through(int proxyPort) {
        return new Work(kind, port, proxyPort, jobs, warmUp, concurrency, bulk, flights, trace);
    }

    Work ofJobs(int others) {
        return new Work(kind, port, workerPort, others, 0, concurrency, bulk, flights, trace);
    }

    /** Kinds of work. */
    enum Kind {
        /** Enqueue, many per call. */
        BULK,
        /** Enqueue, one per call, one call after the other. */
        SINGLE,
        /** Take and complete what is in the queue. */
        PROCESS,
        /** From the call that enqueues to the start of the handler, of a worker that waits. */
        LATENCY,
        /** Only fill the queue. */
        WAITING
    }
}
