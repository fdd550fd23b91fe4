package dev.baton.examples.sandbox;

import dev.baton.examples.web.Answer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets calls to a sandbox go wrong as {@link Faults} decide, and counts them. Thread-safe. */
public final class FaultyCalls implements AutoCloseable {
    /** Longer than the clients of the examples wait, which is a second. */
    private static final long HANG_MS = 1_200;

    private final Faults faults;
    private final Map<Fault, Integer> injected = new EnumMap<>(Fault.class);
    private final CountDownLatch closing = new CountDownLatch(1);

    /** Calls that go wrong like that. */
    public FaultyCalls(Faults faults) {
        this.faults = faults;
    }

    /**
     * Does it, or lets it go wrong.
     *
     * @param operation method and path without ids
     * @param order whose order the call is about
     */
    public Answer answer(String operation, String order, Act act) throws InterruptedException {
        Optional<Fault> fault = next(operation, order);
        if (fault.isEmpty()) {
            return act.act();
        }
        return switch (fault.get()) {
            case TOO_MANY_REQUESTS -> Answer.error(429, "too many requests").with("Retry-After", "1");
            case UNAVAILABLE -> Answer.error(503, "unavailable");
            case UNAVAILABLE_FOR_A_WHILE -> Answer.error(503, "unavailable").with("Retry-After", "1");
            case HANG -> {
                closing.await(HANG_MS, TimeUnit.MILLISECONDS);
                yield Answer.NOTHING;
            }
            case ANSWER_LOST -> {
                act.act();
                yield Answer.NOTHING;
            }
        };
    }

    /** How many calls went wrong so far, by the way in which they did. */
    public Map<Fault, Integer> injected() {
        synchronized (injected) {
            return new EnumMap<>(injected);
        }
    }

    /** Ends the calls that hang. */
    @Override
    public void close() {
        closing.countDown();
    }

    private Optional<Fault> next(String operation, String order) {
        synchronized (injected) {
            Optional<Fault> fault = faults.next(operation, order);
            fault.ifPresent(kind -> injected.merge(kind, 1, Integer::sum));
            return fault;
        }
    }

    /** What a call does if nothing goes wrong. */
    @FunctionalInterface
    public interface Act {
        /** Does it and answers. */
        Answer act() throws InterruptedException;
    }
}
