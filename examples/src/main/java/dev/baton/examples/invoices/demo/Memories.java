package dev.baton.examples.invoices.demo;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.baton.examples.invoices.sandbox.ProviderSandbox;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What the shops were told, which is what the account must come to. Thread-safe. */
public final class Memories {
    private final Map<String, String> taxCodes = new ConcurrentHashMap<>();
    private final Set<String> cancelled = ConcurrentHashMap.newKeySet();
    private final Set<String> ended = ConcurrentHashMap.newKeySet();

    /** @param taxCode empty for a retail invoice */
    void requested(String order, String taxCode) {
        taxCodes.put(order, taxCode);
    }

    void claimed(String order, String taxCode) {
        taxCodes.put(order, taxCode);
    }

    void cancelled(String order) {
        cancelled.add(order);
    }

    /** No shop will come back to it. */
    void ended(String order) {
        ended.add(order);
    }

    /** How many invoices were asked for. */
    public int requested() {
        return taxCodes.size();
    }

    /** How many no shop will come back to. */
    public int ended() {
        return ended.size();
    }

    /** The orders that no provider can issue an invoice for. */
    public Set<String> doomed() {
        return orders(true).collect(toSet());
    }

    /** The orders that are to have an invoice. */
    public Set<String> issuable() {
        return orders(false).collect(toSet());
    }

    /** Those of them that were cancelled afterwards. */
    public Set<String> cancelled() {
        return Set.copyOf(cancelled);
    }

    /** The tax codes that must be on the invoices, by order; empty for a retail invoice. */
    public Map<String, String> taxCodes() {
        return orders(false).collect(toMap(order -> order, order -> taxCodes.getOrDefault(order, "")));
    }

    private Stream<String> orders(boolean doomed) {
        Set<String> bad = Set.of(ProviderSandbox.REFUSED, ProviderSandbox.UNLUCKY);
        return taxCodes.entrySet().stream()
                .filter(each -> bad.contains(each.getValue()) == doomed)
                .map(Map.Entry::getKey);
    }
}
