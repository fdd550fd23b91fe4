package dev.baton.redis;

import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A process that puts its schedules in place again and again, and works, until its standard input ends or it is killed. */
final class ScheduleInstance {
    static final String QUEUE = "q";
    static final Duration LEASE = Duration.ofSeconds(2);

    private static final NewJob JOB = NewJob.of("tick", "{}");

    private ScheduleInstance() {}

    public static void main(String[] args) throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        new Thread(() -> waitForTheEnd(closed)).start();
        try (RedisQueues queues = RedisQueues.connect(URI.create(args[0]), args[1]);
                RedisWorker worker = worker(queues)) {
            Random random = new Random();
            do {
                schedules().forEach(queues.queue(QUEUE).schedules()::upsert);
                if (args[2].equals("fickle")) {
                    // So many that one is left alone for a second now and then.
                    Schedule some = Schedule.every("fickle-" + random.nextInt(40), Duration.ofSeconds(1), JOB);
                    queues.queue(QUEUE).schedules().remove(some.id());
                    queues.queue(QUEUE).schedules().upsert(some);
                }
            } while (!closed.await(20 + random.nextInt(60), TimeUnit.MILLISECONDS));
            worker.stop(Duration.ofSeconds(1));
        }
    }

    static List<Schedule> schedules() {
        List<Schedule> all = new ArrayList<>();
        for (int i = 1; i <= 9; i++) {
            all.add(Schedule.every("every-" + i, Duration.ofMillis(900 + 100 * i), JOB));
            all.add(Schedule.cron("cron-" + i, "*/" + i + " * * * * *", ZoneId.of("Europe/Berlin"), JOB));
        }
        all.add(Schedule.cron("nightly", "30 2 * * *", ZoneId.of("Europe/Berlin"), JOB));
        all.add(Schedule.cron("late", "30 2 * * *", ZoneId.of("Australia/Lord_Howe"), JOB));
        return all;
    }

    static String runs(RedisQueues queues) {
        return queues.queue(QUEUE).keys().session("runs");
    }

    static RedisWorker worker(RedisQueues queues) {
        return RedisWorker.builder(queues.queue(QUEUE))
                .handle("tick", job -> queues.redis().sadd(runs(queues), job.id()))
                .lease(LEASE)
                .start();
    }

    private static void waitForTheEnd(CountDownLatch closed) {
        try {
            while (System.in.read() >= 0) {
                // Nobody writes.
            }
        } catch (IOException e) {
            // That is an end too.
        }
        closed.countDown();
    }
}
