package dev.baton.examples.sandbox;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What a test wants to go wrong: the next call of an operation, once. */
public final class ScriptedFaults implements Faults {
    private final Map<String, Fault> planned = new ConcurrentHashMap<>();

    /** The next call of this operation goes wrong like that. */
    public void plan(String operation, Fault fault) {
        planned.put(operation, fault);
    }

    @Override
    public Optional<Fault> next(String operation, String order) {
        return Optional.ofNullable(planned.remove(operation));
    }
}
