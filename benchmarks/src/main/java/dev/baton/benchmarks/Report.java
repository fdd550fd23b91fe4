package dev.baton.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The rows of a benchmark, as a table for people and as JSON for programs. A ratio above 1 means better than the peer,
 * whether more or less of the figure is better. A figure that there is not is {@code NaN} here and {@code null} in JSON.
 */
public final class Report {
    private final List<Row> rows = new ArrayList<>();

    /** A row with the medians of one figure. */
    public void add(String what, Figure figure, Rounds rounds) {
        double ours = rounds.ours(figure);
        double peer = rounds.peer(figure);
        rows.add(new Row(what, ours, peer, figure.higherIsBetter() ? ours / peer : peer / ours, figure.unit()));
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

    /** For people: two decimals if it is small, a dash if there is none. */
    public static String figure(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }

    private static String line(String what, String ours, String peer, String ratio, String unit) {
        return String.format(Locale.ROOT, "%-24s %12s %12s %8s  %s%n", what, ours, peer, ratio, unit);
    }

    private record Row(String what, double ours, double peer, double ratio, String unit) {
        String json() {
            return String.format(
                    Locale.ROOT,
                    "  {\"what\":\"%s\",\"ours\":%s,\"peer\":%s,\"ratio\":%s,\"unit\":\"%s\"}",
                    what,
                    number(ours),
                    number(peer),
                    number(ratio),
                    unit);
        }

        private static String number(double value) {
            return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", value) : "null";
        }
    }
}
