package dev.baton.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Ours and the peer's in turn, so that a machine whose speed drifts is fair to both; medians. A figure that one side did
 * not yield is {@code NaN}.
 */
public final class Rounds {
    private final List<Map<Figure, Double>> ours = new ArrayList<>();
    private final List<Map<Figure, Double>> peer = new ArrayList<>();

    private Rounds() {}

    /** One round more than that: the first warms up and is not counted. */
    public static Rounds run(int counted, Measurement ours, Measurement peer) throws Exception {
        Rounds rounds = new Rounds();
        for (int i = 0; i <= counted; i++) {
            Map.Entry<Map<Figure, Double>, Map<Figure, Double>> round = round(i, ours, peer);
            Map<Figure, Double> our = round.getKey();
            Map<Figure, Double> other = round.getValue();
            System.out.printf(
                    "round %d of %d: ours%s, peer%s%s%n",
                    i, counted, text(our), text(other), i == 0 ? " (warm-up)" : "");
            if (i > 0) {
                rounds.ours.add(our);
                rounds.peer.add(other);
            }
        }
        return rounds;
    }

    /**
     * For what takes a moment only: very many rounds, so that a machine whose speed differs from second to second is fair
     * too. Shows nothing in between; the first tenth is not counted.
     */
    public static Rounds many(int counted, Measurement ours, Measurement peer) throws Exception {
        Rounds rounds = new Rounds();
        for (int i = -counted / 10; i < counted; i++) {
            Map.Entry<Map<Figure, Double>, Map<Figure, Double>> round = round(i, ours, peer);
            if (i >= 0) {
                rounds.ours.add(round.getKey());
                rounds.peer.add(round.getValue());
            }
        }
        return rounds;
    }

    /** Who begins changes with each round: what one leaves behind for the next is not always the same one's burden. */
    private static Map.Entry<Map<Figure, Double>, Map<Figure, Double>> round(
            int number, Measurement ours, Measurement peer) throws Exception {
        if (number % 2 == 0) {
            Map<Figure, Double> our = ours.measure();
            return Map.entry(our, peer.measure());
        }
        Map<Figure, Double> other = peer.measure();
        return Map.entry(ours.measure(), other);
    }

    /** Our median. */
    public double ours(Figure figure) {
        return median(figure, ours);
    }

    /** The peer's median. */
    public double peer(Figure figure) {
        return median(figure, peer);
    }

    private static double median(Figure figure, List<Map<Figure, Double>> rounds) {
        List<Double> sorted = rounds.stream()
                .map(round -> round.getOrDefault(figure, Double.NaN))
                .sorted()
                .toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static String text(Map<Figure, Double> figures) {
        StringBuilder text = new StringBuilder(figures.isEmpty() ? " -" : "");
        new TreeMap<>(figures)
                .forEach((figure, value) -> text.append(' ')
                        .append(figure.name().toLowerCase(Locale.ROOT))
                        .append(' ')
                        .append(Report.figure(value)));
        return text.toString();
    }

    /** Measures once. */
    public interface Measurement {
        /** The figures; empty if there is nothing to measure. */
        Map<Figure, Double> measure() throws Exception;
    }
}
