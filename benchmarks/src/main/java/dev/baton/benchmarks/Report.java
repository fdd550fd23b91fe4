package dev.baton.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rows of a benchmark, as a table for people and as JSON for programs. */
final class Report {
    private final List<Row> rows = new ArrayList<>();

    /** A figure of which more is better, such as events per second. */
    void higherIsBetter(String what, double ours, double peer, String unit) {
        rows.add(new Row(what, ours, peer, ours / peer, unit));
    }

    String table() {
        StringBuilder table = new StringBuilder(line("what", "ours", "peer", "ratio", "unit"));
        for (Row row : rows) {
            table.append(line(row.what, figure(row.ours), figure(row.peer), figure(row.ratio), row.unit));
        }
        return table.toString();
    }

    void writeTo(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(
                file, "[\n" + String.join(",\n", rows.stream().map(Row::json).toList()) + "\n]\n");
    }

    private static String line(String what, String ours, String peer, String ratio, String unit) {
        return String.format(Locale.ROOT, "%-24s %12s %12s %8s  %s%n", what, ours, peer, ratio, unit);
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }

    private record Row(String what, double ours, double peer, double ratio, String unit) {
        String json() {
            return String.format(
                    Locale.ROOT,
                    "  {\"what\":\"%s\",\"ours\":%.3f,\"peer\":%.3f,\"ratio\":%.3f,\"unit\":\"%s\"}",
                    what,
                    ours,
                    peer,
                    ratio,
                    unit);
        }
    }
}
