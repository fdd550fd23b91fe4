package dev.baton.examples.demo;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * One invariant of the account.
 *
 * @param expected a number or a few words
 * @param found in the same form
 */
public record Check(String name, Object expected, Object found, boolean holds) {
    /** Holds if both are the same. */
    public static Check equal(String name, long expected, long found) {
        return new Check(name, expected, found, expected == found);
    }

    /** Holds if it is not more. */
    public static Check atMost(String name, long most, long found) {
        return new Check(name, "at most " + most, found, found <= most);
    }

    /** Holds if each of these happened exactly once, and nothing happened to anything else. */
    public static Check eachOnce(String name, Set<String> ids, Map<String, Integer> times) {
        Set<String> all = new HashSet<>(ids);
        all.addAll(times.keySet());
        int once = 0;
        int missing = 0;
        for (String id : all) {
            int count = times.getOrDefault(id, 0);
            once += ids.contains(id) && count == 1 ? 1 : 0;
            missing += ids.contains(id) && count == 0 ? 1 : 0;
        }
        int wrong = all.size() - once - missing;
        String found = once + " once" + (missing > 0 ? ", " + missing + " missing" : "")
                + (wrong > 0 ? ", " + wrong + " too often" : "");
        return new Check(name, ids.size() + " once", found, missing == 0 && wrong == 0);
    }
}
