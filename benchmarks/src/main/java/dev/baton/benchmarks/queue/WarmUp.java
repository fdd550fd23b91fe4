package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Sizes;

/**
 * Brings this JVM to the state of a worker that has run for a while: its second compiler needs some hundred thousand jobs.
 * Not counted.
 */
final class WarmUp {
    private static final int MEASUREMENTS = 8;

    private WarmUp() {}

    static void run(Sizes sizes, int port) throws Exception {
        Side baton = new Baton();
        for (int i = 0; i < MEASUREMENTS; i++) {
            baton.measure(Work.of(Work.Kind.PROCESS, port, sizes.jobs(), 100));
        }
        baton.measure(Work.of(Work.Kind.PROCESS, port, sizes.jobs() / 5, 1));
        System.out.printf("warm-up: %,d jobs%n", MEASUREMENTS * sizes.jobs());
    }
}
