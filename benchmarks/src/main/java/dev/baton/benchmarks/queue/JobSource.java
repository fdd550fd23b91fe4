package dev.baton.benchmarks.queue;

import dev.baton.job.NewJob;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * What an application has in hand when it enqueues: an id and an object. Making a job of it, JSON included, belongs to the
 * timed part, as it does for BullMQ.
 */
record JobSource(String id, CapturePayment payload) {
    static final String NAME = "capture-payment";

    /** So many, numbered from the first. */
    static List<JobSource> create(int first, int count, String trace) {
        return IntStream.range(first, first + count)
                .mapToObj(number ->
                        new JobSource(id(number), new CapturePayment(randomId(), trace, new Payment(randomId()))))
                .toList();
    }

    /** The number in the id of a job. */
    static int number(String id) {
        return Integer.parseInt(id, 24, id.length(), 16);
    }

    NewJob toJob() {
        return NewJob.of(NAME, payload).withId(id);
    }

    private static String id(int number) {
        return new UUID(ThreadLocalRandom.current().nextLong(), number).toString();
    }

    private static String randomId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    /** The payload, the same as BullMQ's. */
    record CapturePayment(String eventId, String traceId, Payment payload) {}

    /** The inner part of it. */
    record Payment(String orderId) {}
}
