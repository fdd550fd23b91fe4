package dev.baton.examples.demo;

import dev.baton.deadletter.DeadLetter;
import dev.baton.examples.web.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The outcome of a run.
 *
 * @param killed whether workers were killed on the way
 * @param seconds from the first order to the last effect
 * @param latency what was measured
 * @param latencyOf what that is, in words
 * @param faults how many things went wrong on purpose, by the way in which they did
 * @param jobs how often what happened to jobs
 */
public record Report(
        DemoSettings settings,
        Account account,
        boolean killed,
        double seconds,
        Percentiles latency,
        String latencyOf,
        Map<?, Integer> faults,
        Map<String, Long> jobs,
        List<DeadLetter> deadLetters) {
    private static final int MOST_LETTERS_SHOWN = 5;

    /** Prints it for people to read, and writes it as JSON for scripts. */
    public void publish() throws IOException {
        System.out.printf("%n%s%n", account.table());
        deadLetters.stream()
                .limit(MOST_LETTERS_SHOWN)
                .forEach(letter -> System.out.println("  dead letter: " + letter + ": " + letter.error()));
        System.out.println("  faults injected: " + (faults.isEmpty() ? "none" : faults));
        System.out.println("  jobs:            " + jobs);
        System.out.printf(
                "  time:            %.1f s; %s: p50 %.1f ms, p99 %.1f ms (%d measured)%n",
                seconds, latencyOf, latency.p50(), latency.p99(), latency.samples());
        System.out.println(account.holds() ? "The account holds." : "THE ACCOUNT DOES NOT HOLD.");
        Files.createDirectories(settings.account().toAbsolutePath().getParent());
        Files.writeString(settings.account(), Json.pretty(json()) + "\n");
    }

    private Map<String, Object> json() {
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
        return json;
    }
}
