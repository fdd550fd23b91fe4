package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Benchmark;
import dev.baton.benchmarks.Report;
import dev.baton.benchmarks.Sizes;
import dev.baton.servers.RedisProcess;
import java.nio.file.Path;

/** The Redis queue: enqueueing, taking and completing, waiting, and what that costs Redis. */
public final class QueueBench implements Benchmark {
    private static final Path PEER = Path.of("target", "bullmq");

    @Override
    public void run(Report report) throws Exception {
        Sizes sizes = Sizes.fromProperties();
        System.out.println(sizes);
        Comparison comparison = new Comparison(report, sizes, new Baton(), Bullmq.install(PEER));
        try (RedisProcess redis = RedisProcess.start()) {
            WarmUp.run(sizes, redis.port());
            PeerRows rows = new PeerRows(comparison, redis.port());
            rows.enqueue();
            rows.process();
            rows.farAway();
            rows.latency();
            rows.memory();
        }
        try (RedisProcess redis = RedisProcess.start("--appendonly", "yes", "--appendfsync", "everysec")) {
            new PeerRows(comparison, redis.port()).appendOnly();
        }
        new OwnRows(comparison).run();
    }
}
