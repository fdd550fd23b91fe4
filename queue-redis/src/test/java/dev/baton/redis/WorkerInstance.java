package dev.baton.redis;

import dev.baton.failure.RetryLaterException;
import dev.baton.failure.RetryPolicy;
import dev.baton.failure.ThrottledException;
import dev.baton.job.Job;
import dev.baton.job.JobContext;
import dev.baton.job.WorkerListener;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A worker process. It ends at SIGTERM, after its grace, and at once when its standard input ends, as it does with the
 * death of the test.
 *
 * <p>A job's payload says what its handler does, one word per start, as {@code fail,later:50,ok}; the last one is for all
 * further starts. All is written into the {@link Journal}.
 */
final class WorkerInstance {
    static final String QUEUE = "q";

    private final Settings settings;
    private final Journal journal;

    private WorkerInstance(Settings settings, Journal journal) {
        this.settings = settings;
        this.journal = journal;
    }

    public static void main(String[] args) throws IOException {
        RedisQueues queues = RedisQueues.connect(URI.create(args[0]), args[1]);
        Settings settings = Settings.of(args);
        Journal journal = new Journal(queues, queues.queue(QUEUE));
        // Before it works: its first job may be its last.
        journal.write("up", settings.process, "-");
        RedisWorker worker = new WorkerInstance(settings, journal).start(queues.queue(QUEUE));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            worker.close();
            journal.write("closed", settings.process, "-");
        }));
        while (System.in.read() >= 0) {
            // Nobody writes.
        }
        Runtime.getRuntime().halt(0);
    }

    private RedisWorker start(RedisJobQueue queue) {
        return RedisWorker.builder(queue)
                .handleWithContext(settings.handles, this::handle)
                .concurrency(settings.slots)
                .retry(settings.policy)
                .lease(settings.lease)
                .grace(settings.grace)
                .listener(new Ends())
                .start();
    }

    private void handle(Job job, JobContext context) throws Exception {
        // Before the first renewal the lease ends so long after the moment of handing out.
        long handedOut = context.leaseEnd().minus(settings.lease).toEpochMilli();
        journal.write("began", settings.process, job, handedOut);
        String[] words = job.payload().split(",", -1);
        String[] word = words[Math.min(job.start(), words.length) - 1].split(":", -1);
        long millis = word.length > 1 ? Long.parseLong(word[1]) : 0;
        String end = word[0];
        try {
            if (end.equals("hold") || end.equals("stubborn")) {
                end = hold(millis, context, end.equals("stubborn"));
            } else if (end.equals("halt") && !journal.mayGo()) {
                Runtime.getRuntime().halt(1);
            } else if (end.equals("exit")) {
                System.exit(1);
            }
        } catch (InterruptedException e) {
            journal.write("interrupted", settings.process, job, handedOut);
            throw e;
        }
        journal.write(end, settings.process, job, handedOut);
        switch (end) {
            case "fail" -> throw new IllegalStateException("no luck");
            case "later" -> throw new RetryLaterException(Duration.ofMillis(millis), "not yet");
            case "throttle" -> throw new ThrottledException(Duration.ofMillis(millis), "quota");
            default -> {}
        }
    }

    /** For so long, or until it may go, or is told that the lease is lost; then it returns as if nothing had happened. */
    private String hold(long millis, JobContext context, boolean stubborn) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end && !journal.mayGo()) {
            try {
                if (never.await(20, TimeUnit.MILLISECONDS)) {
                    throw new AssertionError("nobody counts down");
                }
            } catch (InterruptedException e) {
                if (!context.leaseLost() && !stubborn) {
                    throw e;
                }
            }
            if (context.leaseLost()) {
                return "told";
            }
        }
        return "ok";
    }

    /** Writes down what the queue has said. */
    private final class Ends implements WorkerListener {
        @Override
        public void released(Job job) {
            journal.write("released", settings.process, job, 0);
        }

        @Override
        public void leaseLost(Job job) {
            journal.write("lost", settings.process, job, 0);
        }

        @Override
        public void reclaimed(String jobId) {
            journal.write("reclaimed", settings.process, jobId);
        }
    }

    /**
     * What it is told on its command line.
     *
     * @param process its name in the journal
     * @param handles the name of the jobs that it can run
     */
    record Settings(String process, String handles, int slots, Duration lease, Duration grace, RetryPolicy policy) {
        static Settings named(String process) {
            return new Settings(process, "work", 10, Duration.ofSeconds(2), Duration.ofSeconds(1), RetryPolicy.DEFAULT);
        }

        Settings handles(String jobName) {
            return new Settings(process, jobName, slots, lease, grace, policy);
        }

        Settings slots(int number) {
            return new Settings(process, handles, number, lease, grace, policy);
        }

        Settings lease(Duration duration) {
            return new Settings(process, handles, slots, duration, grace, policy);
        }

        Settings grace(Duration duration) {
            return new Settings(process, handles, slots, lease, duration, policy);
        }

        Settings policy(RetryPolicy other) {
            return new Settings(process, handles, slots, lease, grace, other);
        }

        List<String> words() {
            return List.of(
                    process, handles, Integer.toString(slots), lease.toString(), grace.toString(), policy.toText());
        }

        private static Settings of(String[] args) {
            return new Settings(
                    args[2],
                    args[3],
                    Integer.parseInt(args[4]),
                    Duration.parse(args[5]),
                    Duration.parse(args[6]),
                    RetryPolicy.parse(args[7]));
        }
    }
}
