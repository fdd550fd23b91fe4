package dev.baton.benchmarks;

import dev.baton.benchmarks.guard.GuardBench;
import dev.baton.benchmarks.outbox.OutboxBench;
import dev.baton.benchmarks.queue.QueueBench;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Runs one benchmark by name, prints its table and writes {@code target/bench-NAME.json}. */
public final class Bench {
    private static final Map<String, Benchmark> ALL =
            new TreeMap<>(Map.of("guard", new GuardBench(), "outbox", new OutboxBench(), "queue", new QueueBench()));

    private Bench() {}

    /** Exits with 2 if there is no such benchmark, with 1 if it fails; the rows until then are kept. */
    public static void main(String[] args) throws Exception {
        String name = args.length == 0 ? "" : args[0];
        Benchmark benchmark = ALL.get(name);
        if (benchmark == null) {
            System.err.println("there is no benchmark '" + name + "'; give -Dbench=NAME with one of " + ALL.keySet());
            System.exit(2);
            return;
        }
        Report report = new Report();
        try {
            benchmark.run(report);
        } finally {
            System.out.println(report.table());
            Path json = Path.of("target", "bench-" + name + ".json");
            report.writeTo(json);
            System.out.println("written to benchmarks/" + json);
        }
    }
}
