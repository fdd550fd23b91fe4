package dev.baton.redis;

import dev.baton.job.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** Workers that are stopped together, such as those of the partitions of a queue. Thread-safe. */
public final class RedisWorkers implements AutoCloseable {
    private final List<RedisWorker> workers;

    private RedisWorkers(List<RedisWorker> workers) {
        this.workers = List.copyOf(workers);
    }

    /** Workers that run already, of whatever queues. */
    public static RedisWorkers of(RedisWorker... workers) {
        return new RedisWorkers(List.of(workers));
    }

    /**
     * All or none.
     *
     * @param queues to be served here, of all partitions
     */
    static RedisWorkers start(
            List<RedisJobQueue> queues, List<RedisJobQueue> partitions, Consumer<RedisWorkerBuilder> settings) {
        List<RedisWorker> started = new ArrayList<>();
        try {
            for (RedisJobQueue queue : queues) {
                List<RedisJobQueue> others = partitions.stream()
                        .filter(other -> !other.equals(queue))
                        .toList();
                RedisWorkerBuilder builder = new RedisWorkerBuilder(queue, new Siblings(others));
                settings.accept(builder);
                started.add(builder.start());
            }
        } catch (RuntimeException | Error e) {
            new RedisWorkers(started).close();
            throw e;
        }
        return new RedisWorkers(started);
    }

    /**
     * Stops all workers at once, so that one grace is enough for all; see {@link RedisWorker#stop}.
     *
     * @param longest the grace; zero interrupts at once
     * @return what became of the jobs that ran, over all workers
     */
    public StopReport stop(Duration longest) {
        return stop(worker -> worker.stop(longest));
    }

    /** Stops all workers with the grace that was set. */
    @Override
    public void close() {
        stop(RedisWorker::stop);
    }

    private StopReport stop(Function<RedisWorker, StopReport> how) {
        List<CompletableFuture<StopReport>> stopping = workers.stream()
                .map(worker -> CompletableFuture.supplyAsync(
                        () -> how.apply(worker), task -> new Thread(task, "baton-stop").start()))
                .toList();
        int finished = 0;
        List<Job> handedBack = new ArrayList<>();
        for (CompletableFuture<StopReport> each : stopping) {
            StopReport report = each.join();
            finished += report.finished();
            handedBack.addAll(report.handedBack());
        }
        return new StopReport(finished, List.copyOf(handedBack));
    }
}
