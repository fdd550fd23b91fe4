package dev.baton.redis;

import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Reply;
import dev.baton.redis.Exchange.Taken;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** A queue of its own on the real server, with a clock that the test moves. */
final class QueueFixture implements AutoCloseable {
    static final Duration LEASE = Duration.ofSeconds(15);

    /** When its clock begins. */
    static final long START = 1_800_000_000_000L;

    final AtomicLong now = new AtomicLong(START);
    final RedisQueues queues =
            RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix(), () -> Long.toString(now.get()));
    final RedisJobQueue queue = queues.queue("payments");

    Exchange worker() {
        return new Exchange(queue, LEASE);
    }

    void enqueue(String... ids) {
        for (String id : ids) {
            queue.enqueue(NewJob.of("work", "{}").withId(id));
        }
    }

    void enqueueMany(int count) {
        queue.enqueue(IntStream.range(0, count)
                .mapToObj(i -> NewJob.of("work", "{}").withId("job-" + i))
                .toList());
    }

    void pass(Duration time) {
        now.addAndGet(time.toMillis());
    }

    List<Taken> take(Exchange worker, int wanted) {
        return worker.send(worker.request(List.of(), wanted)).taken();
    }

    Taken takeOne(Exchange worker) {
        List<Taken> taken = take(worker, 1);
        if (taken.size() != 1) {
            throw new AssertionError("expected one job, got " + taken);
        }
        return taken.get(0);
    }

    boolean settle(Exchange worker, Settlement settlement) {
        Reply reply = worker.send(worker.request(List.of(settlement), 0));
        return reply.held().get(0);
    }

    JobRecord record(String id) {
        String text = queues.redis().get(queue.keys().job(id));
        if (text == null) {
            throw new AssertionError("job " + id + " is gone");
        }
        return JobRecord.parse(id, text);
    }

    /** What a worker with these slots holds, whose queue always hears it. */
    static Attempts attempts(Slots slots) {
        return new Attempts(
                new Listeners(List.of()), slots, new Silence(LEASE, LEASE), new Siblings(List.of()), () -> {});
    }

    static Lease lease(Taken taken) {
        return JobRecord.parse(taken.id(), taken.record()).lease(taken.token());
    }

    static List<String> ids(List<Taken> taken) {
        return taken.stream().map(Taken::id).toList();
    }

    @Override
    public void close() {
        queues.close();
    }
}
