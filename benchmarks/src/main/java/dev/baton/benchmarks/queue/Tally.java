package dev.baton.benchmarks.queue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** How often each job was started, by its number. Thread-safe; one awaits at a time. */
final class Tally {
    private final AtomicIntegerArray starts;
    private final AtomicInteger count = new AtomicInteger();
    private volatile int expected;
    private volatile CountDownLatch reached = new CountDownLatch(1);

    Tally(int jobs) {
        this.starts = new AtomicIntegerArray(jobs);
    }

    /** So many starts from now on are what {@link #await} waits for; before the worker begins. */
    void expect(int more) {
        reached = new CountDownLatch(1);
        expected = count.get() + more;
    }

    void started(String jobId) {
        starts.incrementAndGet(JobSource.number(jobId));
        if (count.incrementAndGet() == expected) {
            reached.countDown();
        }
    }

    void await() throws InterruptedException {
        if (!reached.await(5, TimeUnit.MINUTES)) {
            throw new IllegalStateException(count + " of " + expected + " jobs started in 5 minutes");
        }
    }

    /** Fails unless exactly so many jobs were started, each of them once. */
    void check(long jobs) {
        long distinct = 0;
        for (int i = 0; i < starts.length(); i++) {
            distinct += starts.get(i) == 0 ? 0 : 1;
        }
        if (count.get() != jobs || distinct != jobs) {
            throw new IllegalStateException(
                    jobs + " jobs were to start once each: " + count + " starts of " + distinct + " jobs");
        }
    }
}
