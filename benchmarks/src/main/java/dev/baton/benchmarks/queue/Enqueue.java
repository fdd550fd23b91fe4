package dev.baton.benchmarks.queue;

import dev.baton.job.NewJob;
import dev.baton.redis.RedisJobQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Puts jobs into a queue. */
final class Enqueue {
    private Enqueue() {}

    /** One per call, one call after the other. */
    static void single(RedisJobQueue queue, List<JobSource> jobs) {
        jobs.forEach(job -> queue.enqueue(job.toJob()));
    }

    /** Many per call, several calls under way at once. */
    static void bulk(RedisJobQueue queue, List<JobSource> jobs, Work work) throws Exception {
        bulk(queue, jobs, work.bulk(), work.flights(), UnaryOperator.identity());
    }

    static void bulk(RedisJobQueue queue, List<JobSource> jobs, int bulk, int flights, UnaryOperator<NewJob> last)
            throws Exception {
        AtomicInteger next = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(flights);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < flights; i++) {
                done.add(threads.submit(() -> {
                    for (int from = next.getAndAdd(bulk); from < jobs.size(); from = next.getAndAdd(bulk)) {
                        queue.enqueue(jobs.subList(from, Math.min(jobs.size(), from + bulk)).stream()
                                .map(JobSource::toJob)
                                .map(last)
                                .toList());
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
    }
}
