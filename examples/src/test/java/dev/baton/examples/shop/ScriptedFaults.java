package dev.baton.examples.shop;

import dev.baton.examples.shop.sandbox.Fault;
import dev.baton.examples.shop.sandbox.Faults;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What a test wants to go wrong: the next call of an operation, once. */
final class ScriptedFaults implements Faults {
    private final Map<String, Fault> planned = new ConcurrentHashMap<>();

    void plan(String operation, Fault fault) {
        planned.put(operation, fault);
    }

    @Override
    public Optional<Fault> next(String operation, String order) {
        return Optional.ofNullable(planned.remove(operation));
    }
}
