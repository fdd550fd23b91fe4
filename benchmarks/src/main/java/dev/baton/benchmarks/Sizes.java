package dev.baton.benchmarks;

import java.util.List;

/**
 * How much is measured, from the system properties {@code bench.*}.
 *
 * @param jobs (or events) per measurement; fewer where one takes long
 * @param rounds that count
 * @param million jobs that lie in a full queue, or events that pass
 * @param only names of rows; empty for all
 */
public record Sizes(int jobs, int rounds, int million, List<String> only) {
    /** As the system properties say. */
    public static Sizes fromProperties() {
        String only = System.getProperty("bench.only", "").strip();
        return new Sizes(
                number("bench.jobs", 50_000, 1_000),
                number("bench.rounds", 5, 1),
                number("bench.million", 1_000_000, 1_000),
                only.isEmpty() ? List.of() : List.of(only.split("\\s*,\\s*")));
    }

    /** For two figures that lie close to each other: a difference of a tenth is lost in the noise of a few rounds. */
    public int manyRounds() {
        return 3 * rounds;
    }

    /** Whether one of these rows is asked for. */
    public boolean wants(List<String> rows) {
        return only.isEmpty() || rows.stream().anyMatch(only::contains);
    }

    private static int number(String name, int otherwise, int least) {
        int value = Integer.getInteger(name, otherwise);
        if (value < least) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be at least " + least);
        }
        return value;
    }
}
