package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.failure.HttpFailures;
import dev.baton.job.Job;
import dev.baton.job.NewJob;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A foreign service that answers 429 with every kind of {@code Retry-After}, and 200 jobs that want to call it. */
@Timeout(60)
class RetryAfterIT {
    /** The service's clock is a year slow. */
    private static final Instant THERE = Instant.parse("2025-11-06T08:49:07Z");

    private static final int SIBLINGS = 200;
    private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

    private final RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
    private final RedisJobQueue queue = queues.queue("payments");
    private final AtomicBoolean refuses = new AtomicBoolean(true);
    private final List<Started> started = new CopyOnWriteArrayList<>();
    private volatile long refusedAt;

    @AfterEach
    void close() {
        queues.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "seconds | 2",
                "IMF-fixdate | EEE, dd MMM yyyy HH:mm:ss _GMT_",
                "RFC 850 | EEEE, dd-MMM-yy HH:mm:ss _GMT_",
                "asctime | EEE MMM ppd HH:mm:ss yyyy"
            })
    void nothing_starts_before_its_time_no_attempt_is_used_and_the_restart_is_spread(String form, String value) {
        String retryAfter = form.equals("seconds") ? value : format(value.replace('_', '\''), THERE.plus(TWO_SECONDS));
        try (RedisWorker worker = worker(retryAfter).start();
                RedisWorker other = RedisWorker.builder(queues.queue("mails"))
                        .handle("work", job -> started.add(new Started(job, System.nanoTime())))
                        .start()) {
            enqueueAll();
            await().until(() -> refusedAt != 0);
            queues.queue("mails").enqueue(NewJob.of("work", "{}"));
            await().until(() -> queue.counts().totals().completed() == SIBLINGS);
            assertThat(List.of(worker, other)).isNotEmpty();
        }
        long mail = started.stream()
                .filter(it -> it.job.queue().equals("mails"))
                .mapToLong(Started::nanos)
                .findFirst()
                .orElseThrow();
        assertThat(Duration.ofNanos(mail - refusedAt)).as("other queues").isLessThan(TWO_SECONDS);
        List<Started> after = started.stream()
                .filter(it -> it.job.queue().equals("payments"))
                .filter(it -> it.nanos > refusedAt)
                .toList();
        assertThat(after).hasSize(SIBLINGS);
        assertThat(after).allSatisfy(it -> {
            // Two milliseconds for the two clocks that are compared here: Redis's and this JVM's.
            assertThat(Duration.ofNanos(it.nanos - refusedAt)).isGreaterThan(TWO_SECONDS.minusMillis(2));
            assertThat(it.job.attempt()).isEqualTo(1);
        });
        long firstHalfSecond = after.stream()
                .filter(it ->
                        it.nanos - after.get(0).nanos < Duration.ofMillis(500).toNanos())
                .count();
        assertThat(firstHalfSecond).as("starts in the first half second").isBetween(2L, 40L);
    }

    @Test
    void a_time_in_the_past_holds_for_a_second() {
        try (RedisWorker worker = worker(format("EEE, dd MMM yyyy HH:mm:ss 'GMT'", THERE.minusSeconds(60)))
                .start()) {
            enqueueAll();
            await().until(() -> queue.counts().totals().completed() == SIBLINGS);
            assertThat(worker).isNotNull();
        }
        assertThat(started).allSatisfy(it -> assertThat(it.job.attempt()).isEqualTo(1));
        assertThat(Duration.ofNanos(started.get(1).nanos - refusedAt)).isGreaterThan(Duration.ofMillis(998));
    }

    @Test
    void ten_days_are_cut_to_one_and_garbage_means_ten_seconds() {
        assertThat(heldFor(format("EEE, dd MMM yyyy HH:mm:ss 'GMT'", THERE.plus(Duration.ofDays(10)))))
                .isBetween(
                        Duration.ofHours(24).minusSeconds(5),
                        Duration.ofHours(24).plusSeconds(1));
        queue.admin().obliterate();
        started.clear();
        assertThat(heldFor("when it suits us")).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(11));
    }

    /** How long the queue is held from now, and nothing has started since. */
    private Duration heldFor(String retryAfter) {
        refuses.set(true);
        refusedAt = 0;
        try (RedisWorker worker = worker(retryAfter).start()) {
            enqueueAll();
            await().until(() ->
                    queue.counts().totals().throttled() > 0 && queue.counts().ready() == SIBLINGS);
            assertThat(worker).isNotNull();
        }
        assertThat(started).hasSize(1);
        long until = Long.parseLong(queues.redis().hget(queue.keys().config(), "hold"));
        Object clock = queues.redis()
                .eval("return redis.call('TIME')[1]", 1, queue.keys().tag());
        return Duration.ofMillis(until - 1_000 * Long.parseLong(clock.toString()));
    }

    private void enqueueAll() {
        queue.enqueue(IntStream.range(0, SIBLINGS)
                .mapToObj(i -> NewJob.of("work", "{}").withId("job-" + i))
                .toList());
    }

    /** The service refuses the first call. */
    private RedisWorkerBuilder worker(String retryAfter) {
        // One slot: whoever started before the refusal was heard would be in nobody's wrong.
        return RedisWorker.builder(queue).concurrency(1).handle("work", job -> {
            started.add(new Started(job, System.nanoTime()));
            if (refuses.compareAndSet(true, false)) {
                refusedAt = System.nanoTime();
                String date = format("EEE, dd MMM yyyy HH:mm:ss 'GMT'", THERE);
                Map<String, List<String>> headers = Map.of("Date", List.of(date), "Retry-After", List.of(retryAfter));
                throw HttpFailures.of(429, headers, "gateway: capture");
            }
        });
    }

    private static String format(String pattern, Instant at) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH)
                .withZone(ZoneOffset.UTC)
                .format(at);
    }

    private record Started(Job job, long nanos) {}
}
