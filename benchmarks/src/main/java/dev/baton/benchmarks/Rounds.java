package dev.baton.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Ours and the peer's in turn, so that a machine whose speed drifts is fair to both; medians. A figure that one side did
 * not yield is {@code NaN}.
 */
public final class Rounds {
    private final List<Round> rounds = new ArrayList<>();

    private Rounds() {}

    /** One round more than that: the first warms up and is not counted. */
    public static Rounds run(int counted, Measurement ours, Measurement peer) throws Exception {
        Rounds rounds = new Rounds();
        for (int i = 0; i <= counted; i++) {
            Round round = Round.measure(i, ours, peer);
            System.out.printf(
                    "round %d of %d: ours%s, peer%s%s%n",
                    i, counted, text(round.ours()), text(round.peer()), i == 0 ? " (warm-up)" : "");
            if (i > 0) {
                rounds.rounds.add(round);
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
            Round round = Round.measure(i, ours, peer);
            if (i >= 0) {
                rounds.rounds.add(round);
            }
        }
        return rounds;
    }

    /** Our median. */
    public double ours(Figure figure) {
        return median(figure, Round::ours);
    }

    /** The peer's median. */
    public double peer(Figure figure) {
        return median(figure, Round::peer);
    }

    private double median(Figure figure, Function<Round, Map<Figure, Double>> side) {
        List<Double> sorted = rounds.stream()
                .map(round -> side.apply(round).getOrDefault(figure, Double.NaN))
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

    private record Round(Map<Figure, Double> ours, Map<Figure, Double> peer) {
        /** Who begins changes with each round: what one leaves behind for the next is not always the same one's burden. */
        static Round measure(int number, Measurement ours, Measurement peer) throws Exception {
            if (number % 2 == 0) {
                Map<Figure, Double> first = ours.measure();
                return new Round(first, peer.measure());
            }
            Map<Figure, Double> first = peer.measure();
            return new Round(ours.measure(), first);
        }
    }
}
