package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Figure;
import java.util.Arrays;
import java.util.Map;

/** Figures from what was measured; the same code for both sides. */
final class Figures {
    private Figures() {}

    /**
     * Of jobs taken and completed.
     *
     * @param before what Redis said before the first job
     * @param after what it said after the last one
     */
    static Map<Figure, Double> processed(double perSecond, int jobs, ServerInfo before, ServerInfo after) {
        return Map.of(
                Figure.JOBS,
                perSecond,
                Figure.CALLS,
                (double) (after.calls() - before.calls()) / jobs,
                Figure.CPU,
                (after.cpuMicros() - before.cpuMicros()) / jobs);
    }

    /** Of one latency per job. */
    static Map<Figure, Double> latency(double[] micros) {
        double[] sorted = micros.clone();
        Arrays.sort(sorted);
        return Map.of(Figure.P50, rank(sorted, 0.50) / 1e3, Figure.P99, rank(sorted, 0.99) / 1e3);
    }

    /** Fails unless a waiting job's payload has the size that both sides agreed on. */
    static void checkPayload(int bytes) {
        if (bytes != Work.WAITING_PAYLOAD) {
            throw new IllegalStateException("the payload has " + bytes + " bytes instead of " + Work.WAITING_PAYLOAD);
        }
    }

    private static double rank(double[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
