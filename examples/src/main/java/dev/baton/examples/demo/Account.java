package dev.baton.examples.demo;

import java.util.List;
import java.util.Locale;

/**
 * What should have happened against what did.
 *
 * @param orders how many were to be placed
 * @param holds whether all checks do
 */
public record Account(int orders, boolean holds, List<Check> checks) {
    /** Adds up. */
    public static Account of(int orders, List<Check> checks) {
        return new Account(orders, checks.stream().allMatch(Check::holds), List.copyOf(checks));
    }

    /** A table for people to read. */
    public String table() {
        StringBuilder table = new StringBuilder();
        String format = "  %-6s %-42s %-16s %s%n";
        table.append(String.format(format, "holds", "invariant", "expected", "found"));
        for (Check check : checks) {
            table.append(String.format(
                    format, check.holds() ? "yes" : "NO", check.name(), words(check.expected()), words(check.found())));
        }
        return table.toString();
    }

    private static String words(Object value) {
        return value instanceof Long number ? String.format(Locale.ROOT, "%,d", number) : value.toString();
    }
}
