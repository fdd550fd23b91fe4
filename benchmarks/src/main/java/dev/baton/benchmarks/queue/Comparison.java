package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.Report;
import dev.baton.benchmarks.Rounds;
import dev.baton.benchmarks.Sizes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import redis.clients.jedis.Jedis;

/** Measures both sides at the same work and reports rows, if they are wanted. */
record Comparison(Report report, Sizes sizes, Side ours, Side peer) {
    /** Rows by the figure that they show. */
    Rounds run(Map<Figure, String> rows, Work work) throws Exception {
        return run(rows, () -> onEmptyServer(ours, work), () -> onEmptyServer(peer, work));
    }

    /** Rows of other measurements. */
    Rounds run(Map<Figure, String> rows, Rounds.Measurement ours, Rounds.Measurement peer) throws Exception {
        return run(rows, sizes.rounds(), ours, peer);
    }

    /** Rows of measurements of which a small difference counts. */
    Rounds runOften(Map<Figure, String> rows, Rounds.Measurement ours, Rounds.Measurement peer) throws Exception {
        return run(rows, sizes.manyRounds(), ours, peer);
    }

    private Rounds run(Map<Figure, String> rows, int count, Rounds.Measurement ours, Rounds.Measurement peer)
            throws Exception {
        System.out.println(String.join(", ", new TreeMap<>(rows).values()));
        Rounds rounds = Rounds.run(count, ours, peer);
        new TreeMap<>(rows).forEach((figure, row) -> report.add(row, figure, rounds));
        return rounds;
    }

    boolean wants(String... rows) {
        return sizes.wants(List.of(rows));
    }

    private static Map<Figure, Double> onEmptyServer(Side side, Work work) throws Exception {
        try (Jedis jedis = new Jedis(Baton.uri(work.port()))) {
            jedis.flushAll();
        }
        return side.measure(work);
    }
}
