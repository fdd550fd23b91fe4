package dev.baton.internal;

import java.time.Duration;

/** One bounded run of background work; a test calls it without a thread. */
@FunctionalInterface
public interface Pass {
    /**
     * Does one bounded piece of work.
     *
     * @return how long to rest before the next pass unless nudged; zero or less means that there may be more to do now
     * @throws Exception if the pass failed; the loop logs it, rests and goes on
     */
    Duration run() throws Exception;
}
