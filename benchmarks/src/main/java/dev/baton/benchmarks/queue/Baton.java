package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Figure;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Our side. */
final class Baton implements Side {
    @Override
    public Map<Figure, Double> measure(Work work) throws Exception {
        if (work.warmUp() > 0) {
            run(work.ofJobs(work.warmUp()));
        }
        return run(work);
    }

    /** Takes and completes jobs in a queue with the feature. */
    static Map<Figure, Double> measure(Work work, Feature feature) throws Exception {
        try (RedisQueues redis = connect(work.port())) {
            RedisJobQueue queue = queue(redis);
            feature.apply(queue.settings());
            return process(queue, work, feature);
        }
    }

    private static Map<Figure, Double> run(Work work) throws Exception {
        try (RedisQueues redis = connect(work.port())) {
            RedisJobQueue queue = queue(redis);
            return switch (work.kind()) {
                case BULK, SINGLE -> Map.of(Figure.JOBS, enqueue(queue, work));
                case PROCESS -> process(queue, work, Feature.PLAIN);
                case LATENCY -> Figures.latency(IdleLatency.micros(queue, work));
                case WAITING -> waiting(redis, work);
            };
        }
    }

    private static double enqueue(RedisJobQueue queue, Work work) throws Exception {
        List<JobSource> jobs = JobSource.create(0, work.jobs(), work.trace());
        // Opens a connection.
        queue.counts();
        long began = System.nanoTime();
        if (work.kind() == Work.Kind.BULK) {
            Enqueue.bulk(queue, jobs, work);
        } else {
            Enqueue.single(queue, jobs);
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        Counts.check(queue, work.jobs(), 0);
        return work.jobs() / seconds;
    }

    private static Map<Figure, Double> process(RedisJobQueue queue, Work work, Feature feature) throws Exception {
        List<JobSource> jobs = JobSource.create(0, work.jobs(), work.trace());
        Enqueue.bulk(queue, jobs, work.bulk(), work.flights(), feature::shape);
        Tally tally = new Tally(work.jobs());
        Drain.Result result;
        try (RedisQueues workers = connect(work.workerPort())) {
            RedisJobQueue workerQueue = workers.queue(queue.name());
            result = new Drain(workerQueue, queue, work.concurrency(), uri(work.port())).run(work.jobs(), tally);
        }
        tally.check(work.jobs());
        if (feature != Feature.KEEP) {
            Counts.check(queue, 0, work.jobs());
        }
        return Figures.processed(result.jobsPerSecond(), work.jobs(), result.before(), result.after());
    }

    private static Map<Figure, Double> waiting(RedisQueues redis, Work work) throws Exception {
        RedisJobQueue queue = queue(redis);
        long before = ServerInfo.of(uri(work.port())).usedMemory();
        try (RedisQueues enqueuers = connect(work.port())) {
            List<JobSource> jobs = JobSource.create(0, work.jobs(), work.trace());
            Figures.checkPayload(jobs.get(0).toJob().payload().length());
            Enqueue.bulk(enqueuers.queue(queue.name()), jobs, work);
        }
        long after = ServerInfo.of(uri(work.port())).usedMemory();
        Counts.check(queue, work.jobs(), 0);
        return Map.of(Figure.BYTES, (double) (after - before) / work.jobs());
    }

    static URI uri(int port) {
        return URI.create("redis://127.0.0.1:" + port);
    }

    private static RedisQueues connect(int port) {
        return RedisQueues.connect(uri(port), "bench");
    }

    private static RedisJobQueue queue(RedisQueues redis) {
        return redis.queue(UUID.randomUUID().toString());
    }
}
