package dev.baton.examples.tickets.demo;

import static java.util.stream.Collectors.toSet;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What the buyers were told, which is what the account must come to. Thread-safe. */
public final class Memories {
    private final Map<Long, Set<String>> seats = new ConcurrentHashMap<>();
    private final Map<Long, String> ends = new ConcurrentHashMap<>();
    private final Set<Long> replaced = ConcurrentHashMap.newKeySet();

    void booked(long order, Set<String> hers) {
        seats.put(order, hers);
    }

    void replaced(long order, Set<String> hers) {
        seats.put(order, hers);
        replaced.add(order);
    }

    /** It was paid, cancelled or deleted, and the API has confirmed that. */
    void told(long order, String what) {
        ends.put(order, what);
    }

    /** Nobody will ask for it again. */
    void vanished(long order) {
        ends.put(order, "expire");
    }

    /** How many orders were booked. */
    public int booked() {
        return seats.size();
    }

    /** How many orders were exchanged for other seats. */
    public int replacedOrders() {
        return replaced.size();
    }

    /** How many orders will not be heard of again. */
    public int ended() {
        return ends.size();
    }

    /** The orders that ended like this: pay, cancel, delete or expire. */
    public Set<String> orders(String end) {
        return ended(end).map(each -> Long.toString(each.getKey())).collect(toSet());
    }

    /** How often each seat was sold, by what the buyers who paid were told. */
    public Map<String, Integer> sold() {
        Map<String, Integer> sold = new LinkedHashMap<>();
        ended("pay")
                .forEach(each ->
                        seats.getOrDefault(each.getKey(), Set.of()).forEach(seat -> sold.merge(seat, 1, Integer::sum)));
        return sold;
    }

    /** The seats with the orders that bought them, such as {@code seat-7 of 12}. */
    public Set<String> purchases() {
        return ended("pay")
                .flatMap(each ->
                        seats.getOrDefault(each.getKey(), Set.of()).stream().map(seat -> seat + " of " + each.getKey()))
                .collect(toSet());
    }

    private Stream<Map.Entry<Long, String>> ended(String end) {
        return ends.entrySet().stream().filter(each -> each.getValue().equals(end));
    }
}
