package dev.baton.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** Ours and the peer's in turn, so that a machine whose speed drifts is fair to both; medians. */
final class Rounds {
    private final List<Double> ours = new ArrayList<>();
    private final List<Double> peer = new ArrayList<>();

    /** One round is not counted: it warms up. */
    static Rounds run(int counted, Measurement ours, Measurement peer) throws Exception {
        Rounds rounds = new Rounds();
        for (int i = 0; i <= counted; i++) {
            double our = ours.measure();
            double other = peer.measure();
            System.out.printf(
                    "round %d of %d: ours %,.0f, peer %,.0f%s%n", i, counted, our, other, i == 0 ? " (warm-up)" : "");
            if (i > 0) {
                rounds.ours.add(our);
                rounds.peer.add(other);
            }
        }
        return rounds;
    }

    double ours() {
        return median(ours);
    }

    double peer() {
        return median(peer);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** One figure. */
    interface Measurement {
        double measure() throws Exception;
    }
}
