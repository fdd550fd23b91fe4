package dev.baton.internal;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where loops that belong together report failed passes: at most one line in ten seconds for all of them, which tells how many
 * were silent since the last one, and whose. A server that is away makes all of them fail at once.
 *
 * <p><b>Threads.</b> May be called from any thread.
 */
public final class FailureLog {
    private static final Logger log = LoggerFactory.getLogger(FailureLog.class);
    private static final long EVERY_NANOS = Duration.ofSeconds(10).toNanos();

    private final Set<String> whose = new TreeSet<>();
    private final LongSupplier nanos;
    private int silent;
    private long lastLogged;

    /** Nothing is logged yet. */
    public FailureLog() {
        this(System::nanoTime);
    }

    FailureLog(LongSupplier nanos) {
        this.nanos = nanos;
        this.lastLogged = nanos.getAsLong() - EVERY_NANOS;
    }

    /**
     * Tells of a failed pass. Throws nothing: a logger may fail too, such as by recursion into ten thousand causes.
     *
     * @param name of the loop
     */
    public void failed(String name, Throwable e) {
        try {
            report(name, e);
        } catch (RuntimeException | StackOverflowError unloggable) {
            log.warn(
                    "{} failed with a {} that cannot be logged",
                    name,
                    e.getClass().getName());
        }
    }

    private synchronized void report(String name, Throwable e) {
        long now = nanos.getAsLong();
        if (now - lastLogged < EVERY_NANOS) {
            silent++;
            whose.add(name);
            return;
        }
        // First: a line that cannot be written counts too.
        lastLogged = now;
        String others = silent == 0
                ? ""
                : " (" + silent + " more failures since the last line, of " + String.join(", ", whose) + ")";
        silent = 0;
        whose.clear();
        log.warn("{} failed{}; it goes on by itself", name, others, e);
    }
}
