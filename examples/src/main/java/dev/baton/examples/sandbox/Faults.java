package dev.baton.examples.sandbox;

import java.util.Optional;

/** Decides which calls to the sandbox go wrong. Thread-safe. */
@FunctionalInterface
public interface Faults {
    /**
     * What goes wrong with this call, if anything.
     *
     * @param operation method and path without ids, such as {@code POST /shipments}
     * @param order whose order the call is about
     */
    Optional<Fault> next(String operation, String order);

    /** All goes well. */
    static Faults none() {
        return (operation, order) -> Optional.empty();
    }

    /**
     * About every sixth call goes wrong, but each operation at most twice per order: enough to hit every step, and
     * yet a run ends.
     *
     * @param seed the same gives the same decisions to the same sequence of calls
     */
    static Faults seeded(long seed) {
        return new SeededFaults(seed, SeededFaults.MOST);
    }

    /** The same, but each operation at most so many times per order: less than what its budget of attempts bears. */
    static Faults seeded(long seed, int most) {
        return new SeededFaults(seed, most);
    }
}
