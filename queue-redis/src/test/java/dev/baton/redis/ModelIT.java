package dev.baton.redis;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Long random sequences of operations on real Redis and on a model in plain Java: after each step both have given the same
 * answer and hold the same jobs in the same places. A failure names the seed and the step; {@code -Dmodel.seed=N} replays
 * that sequence alone, {@code -Dmodel.operations=N} sets how many steps are done in all.
 */
class ModelIT {
    private static final int STEPS = 500;

    @Test
    void the_scripts_and_a_model_in_plain_java_never_differ() {
        Long replay = Long.getLong("model.seed");
        if (replay != null) {
            new ModelSequence(replay).run(STEPS);
            return;
        }
        long first = System.nanoTime();
        int sequences = Integer.getInteger("model.operations", 200_000) / STEPS;
        System.out.println("model test: " + sequences + " sequences of " + STEPS + " steps from seed " + first);
        // At once, as each waits for Redis half of the time: queues do not know of each other.
        IntStream.range(0, sequences).parallel().forEach(i -> new ModelSequence(first + i).run(STEPS));
    }
}
