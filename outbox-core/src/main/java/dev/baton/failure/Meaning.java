package dev.baton.failure;

import java.time.Duration;

/** What a failure means, whatever the job's budget says. */
public sealed interface Meaning {
    /** Trying again cannot help. */
    record Permanent() implements Meaning {}

    /** Trying again may help; uses up an attempt. */
    record Transient() implements Meaning {}

    /** Not yet; uses up no attempt. */
    record Later(Duration delay) implements Meaning {}

    /** A quota of the whole queue is spent; uses up no attempt. */
    record Throttled(Duration retryAfter) implements Meaning {}

    /** Trying again cannot help. */
    Meaning PERMANENT = new Permanent();

    /** Trying again may help. */
    Meaning TRANSIENT = new Transient();
}
