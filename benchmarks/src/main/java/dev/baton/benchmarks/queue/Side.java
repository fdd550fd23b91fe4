package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Figure;
import java.util.Map;

/** Baton, or its peer. */
interface Side {
    /** A peer that cannot be had. */
    Side ABSENT = work -> Map.of();

    /** Does the work in a queue of its own. The server is empty before. */
    Map<Figure, Double> measure(Work work) throws Exception;
}
