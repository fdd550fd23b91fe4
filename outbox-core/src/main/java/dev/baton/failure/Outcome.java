package dev.baton.failure;

import java.time.Duration;

/** What becomes of a job whose handler failed. */
public sealed interface Outcome {
    /** An attempt is used up; the job is started again after the delay. */
    record Retry(Duration delay) implements Outcome {}

    /** No attempt is used up; the job is started again after the delay. */
    record Postpone(Duration delay) implements Outcome {}

    /** No attempt is used up; no job of the queue starts before the delay is over. */
    record Throttle(Duration delay) implements Outcome {}

    /** The job is not started again. */
    record Bury(DeathReason reason) implements Outcome {}
}
