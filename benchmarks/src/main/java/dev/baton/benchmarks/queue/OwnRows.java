package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.Sizes;
import dev.baton.redis.RedisQueues;
import dev.baton.servers.RedisProcess;
import java.util.Map;

/** The rows in which the peer is our own plain figure at concurrency 100: what a full queue, or a feature, costs. */
final class OwnRows {
    private final Comparison comparison;

    OwnRows(Comparison comparison) {
        this.comparison = comparison;
    }

    void run() throws Exception {
        million("process.c100.backlog1m", Million::waiting);
        million("process.c100.delayed1m", Million::delayed);
        lateness();
        for (Feature feature : Feature.ROWS) {
            feature(feature);
        }
    }

    private void feature(Feature feature) throws Exception {
        if (!comparison.wants(feature.row())) {
            return;
        }
        try (RedisProcess redis = RedisProcess.start()) {
            Work work =
                    Work.of(Work.Kind.PROCESS, redis.port(), comparison.sizes().jobs(), 100);
            comparison.runOften(
                    Map.of(Figure.JOBS, feature.row()),
                    () -> Baton.measure(work, feature),
                    () -> comparison.ours().measure(work));
        }
    }

    private void million(String name, Full full) throws Exception {
        if (!comparison.wants(name)) {
            return;
        }
        // Both servers write the same into their slow log, which costs something.
        try (RedisProcess redis = RedisProcess.start(SlowLog.ARGUMENTS);
                Million million = full.open(comparison.sizes())) {
            Work plain =
                    Work.of(Work.Kind.PROCESS, redis.port(), comparison.sizes().jobs(), 100);
            comparison.runOften(
                    Map.of(Figure.JOBS, name),
                    million::measure,
                    () -> comparison.ours().measure(plain));
            System.out.println(name + ": scripts " + million.slowestScripts());
            System.out.println("beside that, a script that only counts: " + million.slowestOfNothing());
        }
    }

    /** How late delayed jobs are beside a million others, and in a queue of their own. */
    private void lateness() throws Exception {
        if (!comparison.wants("lateness.delayed1m.p50", "lateness.delayed1m.p99")) {
            return;
        }
        int jobs = comparison.sizes().jobs() / 50;
        try (RedisProcess redis = RedisProcess.start();
                RedisQueues queues = RedisQueues.connect(redis.uri(), "bench");
                Million million = Million.delayed(comparison.sizes())) {
            comparison.run(
                    Map.of(Figure.P50, "lateness.delayed1m.p50", Figure.P99, "lateness.delayed1m.p99"),
                    () -> million.lateness(jobs),
                    () -> Lateness.measure(queues.queue("empty"), jobs));
        }
    }

    /** Makes a full queue. */
    private interface Full {
        Million open(Sizes sizes) throws Exception;
    }
}
