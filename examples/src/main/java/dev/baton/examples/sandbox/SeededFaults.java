package dev.baton.examples.sandbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** See {@link Faults#seeded}. */
final class SeededFaults implements Faults {
    static final int MOST = 2;

    private static final double SHARE = 0.17;

    /** A 429 stops a whole queue for a second, so it comes half as often as the others. */
    private static final List<Fault> KINDS = List.of(
            Fault.TOO_MANY_REQUESTS,
            Fault.UNAVAILABLE,
            Fault.UNAVAILABLE,
            Fault.UNAVAILABLE_FOR_A_WHILE,
            Fault.UNAVAILABLE_FOR_A_WHILE,
            Fault.HANG,
            Fault.HANG,
            Fault.ANSWER_LOST,
            Fault.ANSWER_LOST);

    private final int most;
    private final Random random;
    private final Map<String, Integer> injected = new HashMap<>();

    SeededFaults(long seed, int most) {
        this.most = most;
        this.random = new Random(seed);
    }

    @Override
    public synchronized Optional<Fault> next(String operation, String order) {
        if (random.nextDouble() >= SHARE) {
            return Optional.empty();
        }
        if (injected.merge(operation + " of " + order, 1, Integer::sum) > most) {
            return Optional.empty();
        }
        return Optional.of(KINDS.get(random.nextInt(KINDS.size())));
    }
}
