package dev.baton.examples.shop.demo;

import dev.baton.deadletter.DeadLetter;
import dev.baton.examples.shop.sandbox.Fault;
import dev.baton.examples.shop.web.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The outcome of a run.
 *
 * @param killed whether workers were killed on the way
 * @param seconds from the first order to the last effect
 * @param faults how many calls to the sandbox went wrong, by the way in which they did
 * @param jobs how often what happened to jobs
 */
public record Report(
        DemoSettings settings,
        Account account,
        boolean killed,
        double seconds,
        Latency.Summary latency,
        Map<Fault, Integer> faults,
        Map<String, Long> jobs,
        List<DeadLetter> deadLetters) {

    /** Prints it for people to read. */
    public void print() {
        System.out.printf("%n%s%n", account.table());
        deadLetters.forEach(letter -> System.out.println("  dead letter: " + letter + ": " + letter.error()));
        System.out.println("  faults injected: " + (faults.isEmpty() ? "none" : faults));
        System.out.println("  jobs:            " + jobs);
        System.out.printf(
                "  time:            %.1f s; from commit to job start p50 %.1f ms, p99 %.1f ms (%d starts in this JVM,"
                        + " the waits of throttled queues included)%n",
                seconds, latency.p50(), latency.p99(), latency.samples());
        System.out.println(account.holds() ? "The account holds." : "THE ACCOUNT DOES NOT HOLD.");
    }

    /** Writes it as JSON, for scripts. */
    public void write(Path file) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("orders", account.orders());
        json.put("holds", account.holds());
        json.put("checks", account.checks());
        json.put("seconds", seconds);
        json.put("latencyMs", latency);
        json.put("faults", faults);
        json.put("jobs", jobs);
        json.put("deadLetters", deadLetters.stream().map(DeadLetter::toString).toList());
        json.put("killed", killed);
        json.put("seed", settings.seed());
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, Json.pretty(json) + "\n");
    }
}
