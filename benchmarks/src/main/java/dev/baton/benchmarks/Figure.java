package dev.baton.benchmarks;

/** What a measurement may yield: its unit, and whether more of it is better. */
public enum Figure {
    EVENTS("events/s", true),
    JOBS("jobs/s", true),
    LETTERS("letters/s", true),
    US("us/message", false),
    P50("ms", false),
    P99("ms", false),
    HEAP("MB of heap after a collection, at most", false),
    BYTES("bytes of Redis/job", false),
    CALLS("Redis calls/job", false),
    CPU("us of Redis CPU/job", false),
    OWN_CPU("us of CPU of the process/event", false);

    private final String unit;
    private final boolean higherIsBetter;

    Figure(String unit, boolean higherIsBetter) {
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    String unit() {
        return unit;
    }

    boolean higherIsBetter() {
        return higherIsBetter;
    }
}
