package dev.baton.examples.demo;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Many customers, a few at a time: each comes at a moment of its own and does one thing. Thread-safe. */
public final class Crowd implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Crowd.class);

    private final ScheduledExecutorService threads;

    /** @param atATime so many do something at once; the others wait for their turn */
    public Crowd(int atATime) {
        this.threads = Executors.newScheduledThreadPool(atATime);
    }

    /** Somebody comes after so long. */
    @SuppressWarnings("FutureReturnValueIgnored")
    public void comes(Duration after, Errand errand) {
        // What it does is in the account; a future that nobody reads would only hide its failure.
        threads.schedule(() -> run(errand), after.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private static void run(Errand errand) {
        try {
            errand.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            log.error("an errand failed; the account will miss it", e);
        }
    }

    /** What somebody does. */
    @FunctionalInterface
    public interface Errand {
        /** Does it. */
        void run() throws Exception;
    }
}
