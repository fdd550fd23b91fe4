package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.internal.Rests;
import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Taken;
import dev.baton.servers.Gate;
import dev.baton.servers.Redis;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Redis is away for longer than the leases last, and the jobs of a worker end meanwhile: they are not run again. */
@Timeout(60)
class SilenceIT {
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String prefix = Redis.freshPrefix();
    private final Gate gate = Gate.to(Redis.get().uri());
    private final RedisQueues direct = RedisQueues.connect(Redis.get().uri(), prefix);
    private final RedisQueues gated = RedisQueues.connect(URI.create("redis://127.0.0.1:" + gate.port()), prefix);
    private final RedisJobQueue queue = direct.queue("q");
    private final Queue<Taken> taken = new ConcurrentLinkedQueue<>();
    /** Of so long a lease that all silences here are short, and nobody else is waited for. */
    private final Attempts attempts = attempts(Duration.ofMinutes(1));

    private final Conversation first = conversation(attempts);
    private final Conversation second = conversation(attempts);
    private final ExtraPass extra = new ExtraPass(second, () -> {}, () -> {});

    @AfterEach
    void close() {
        gated.close();
        direct.close();
        gate.close();
    }

    @Test
    void a_worker_tells_what_ended_before_it_reclaims_anything() throws Exception {
        int jobs = 50;
        Map<String, Integer> runs = new ConcurrentHashMap<>();
        CountDownLatch begun = new CountDownLatch(jobs);
        CountDownLatch one = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(1);
        enqueue(jobs);
        try (RedisWorker worker = RedisWorker.builder(gated.queue("q"))
                .concurrency(jobs)
                .lease(LEASE)
                .handle("work", job -> {
                    runs.merge(job.id(), 1, Integer::sum);
                    begun.countDown();
                    (job.id().equals("job-0") ? one : all).await();
                })
                .start()) {
            begun.await();
            gate.shut();
            gate.countFromNow();
            one.countDown();
            // Its end is under way, and cannot arrive.
            await().atMost(PATIENCE).until(() -> gate.mostInASecond() > 0);
            all.countDown();
            leasesEnd();
            gate.open();

            await().atMost(PATIENCE).until(() -> queue.counts().totals().completed() == jobs);
            assertThat(queue.counts().totals().reclaimed()).isZero();
            assertThat(queue.counts().totals().lost()).isZero();
            assertThat(worker).isNotNull();
        }
        assertThat(runs)
                .hasSize(jobs)
                .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
    }

    /** Another worker is awake, and takes what is not renewed in time. */
    @Test
    void a_handler_keeps_its_lease_through_a_silence_that_is_shorter() throws Exception {
        Duration lease = Duration.ofMillis(4_500);
        Map<String, Integer> runs = new ConcurrentHashMap<>();
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch firstEnds = new CountDownLatch(1);
        CountDownLatch secondEnds = new CountDownLatch(1);
        enqueue(2);
        RedisServers quick = RedisServers.single(URI.create("redis://127.0.0.1:" + gate.port()))
                .withReconnect(SOON, SOON);
        try (RedisQueues through = RedisQueues.connect(quick, prefix);
                RedisWorker silent = RedisWorker.builder(through.queue("q"))
                        .lease(lease)
                        .handle("work", job -> {
                            runs.merge(job.id(), 1, Integer::sum);
                            begun.countDown();
                            (job.id().equals("job-0") ? firstEnds : secondEnds).await();
                        })
                        .start()) {
            begun.await();
            try (RedisWorker other = RedisWorker.builder(queue)
                    .handle("work", job -> runs.merge(job.id(), 1, Integer::sum))
                    .start()) {
                double taken = lastEnd();
                await().atMost(PATIENCE).until(() -> lastEnd() > taken);
                double end = lastEnd();
                gate.shut();
                // Its end is under way, without a renewal, and is sent again and again.
                firstEnds.countDown();
                await().atMost(PATIENCE).until(() -> end - redisNow() < 1_000);
                gate.open();
                await().atMost(PATIENCE).until(() -> redisNow() > end + 500);
                secondEnds.countDown();
                await().atMost(PATIENCE).until(() -> queue.counts().totals().completed() == 2);
                assertThat(silent).isNotSameAs(other);
            }
        }
        assertThat(queue.counts().totals().reclaimed()).isZero();
        assertThat(runs).isEqualTo(Map.of("job-0", 1, "job-1", 1));
    }

    @Test
    void renewals_are_asked_for_when_a_request_takes_them_along_and_not_for_a_repeat() {
        AtomicInteger asked = new AtomicInteger();
        fallSilent(first);
        for (int expected = 0; expected < 2; expected++) {
            first.exchange(() -> {
                asked.incrementAndGet();
                return List.of();
            });
            assertThat(asked).hasValue(expected);
        }
    }

    @Test
    void more_ends_than_one_exchange_carries_are_told_before_anything_is_reclaimed() {
        enqueue(501);
        holdAll(501);
        fallSilent(first);
        endAllBut(1);
        leasesEnd();

        assertThat(told(first.exchange(List::of))).as("the repeat").isZero();
        for (int left : List.of(500, 300, 100)) {
            assertThat(attempts.countEnds()).isEqualTo(left);
            assertThat(queue.counts().totals().reclaimed()).isZero();
            first.exchange(List::of);
        }
        assertThat(queue.counts().totals().completed()).isEqualTo(500);
        assertThat(queue.counts().totals().lost()).isZero();
        assertThat(queue.counts().totals().reclaimed())
                .as("the one of which nothing is told")
                .isEqualTo(1);
    }

    @Test
    void nobody_reclaims_while_another_conversation_has_something_to_tell() {
        enqueue(3);
        holdAll(3);
        endAllBut(2);
        fallSilent(second);
        endAllBut(1);
        leasesEnd();

        assertThat(told(first.exchange(List::of))).isEqualTo(1);
        assertThat(queue.counts().totals().reclaimed()).isZero();
        extra.run();
        assertThat(queue.counts().totals().completed()).isEqualTo(2);
        assertThat(queue.counts().totals().reclaimed()).isZero();
        first.exchange(List::of);
        assertThat(queue.counts().totals().reclaimed()).isEqualTo(1);
        assertThat(queue.counts().totals().lost()).isZero();
    }

    @Test
    void during_a_silence_only_the_first_conversation_asks_for_anything_new() {
        enqueue(1);
        holdAll(1);
        fallSilent(first);
        endAllBut(0);
        extra.run();
        assertThat(attempts.countEnds()).isEqualTo(1);
        assertThat(told(first.exchange(List::of))).as("the repeat").isZero();
        assertThat(told(first.exchange(List::of))).isEqualTo(1);
        extra.run();
        assertThat(attempts.silence().lasts()).isFalse();
    }

    @Test
    void after_a_long_silence_others_get_the_time_to_come_back_and_tell() {
        enqueue(1);
        holdAll(1);
        Attempts idle = attempts(LEASE);
        Conversation sooner = conversation(idle);
        fallSilent(first);
        fallSilent(sooner);
        endAllBut(0);
        leasesEnd();

        sooner.exchange(List::of);
        assertThat(sooner.exchange(List::of).request().reclaims()).isFalse();
        assertThat(idle.silence().lasts()).isFalse();
        first.exchange(List::of);
        assertThat(told(first.exchange(List::of))).isEqualTo(1);
        assertThat(queue.counts().totals().completed()).isEqualTo(1);
        assertThat(queue.counts().totals().lost()).isZero();

        assertThat(idle.silence().untilReclaim()).isPositive();
        await().atMost(PATIENCE).until(() -> idle.silence().untilReclaim().isZero());
        assertThat(sooner.exchange(List::of).request().reclaims()).isTrue();
    }

    /** An exchange whose request does not arrive. */
    private void fallSilent(Conversation conversation) {
        gate.shut();
        assertThatThrownBy(() -> conversation.exchange(List::of)).isInstanceOf(RuntimeException.class);
        gate.open();
        assertThat(conversation.isUnanswered()).isTrue();
    }

    private void leasesEnd() {
        await().atMost(PATIENCE).until(() -> {
            return direct.redis().zcount(queue.keys().leased(), redisNow(), Double.POSITIVE_INFINITY) == 0;
        });
    }

    /** In ms. */
    private double redisNow() {
        List<?> time = (List<?>) direct.redis().eval("return redis.call('TIME')");
        return 1e3 * Long.parseLong((String) time.get(0)) + Long.parseLong((String) time.get(1)) / 1e3;
    }

    /** Of the leases, in ms. */
    private double lastEnd() {
        return direct.redis()
                .zrangeWithScores(queue.keys().leased(), -1, -1)
                .get(0)
                .getScore();
    }

    private void holdAll(int jobs) {
        attempts.demand().ahead(jobs);
        while (taken.size() < jobs) {
            first.exchange(List::of);
        }
        assertThat(queue.counts().leased()).isEqualTo(jobs);
        attempts.demand().stopTaking();
    }

    private void endAllBut(int left) {
        while (taken.size() > left) {
            Taken next = taken.remove();
            JobRecord job = JobRecord.parse(next.id(), next.record());
            attempts.ended(End.completed(job.toJob("q"), job.lease(next.token()), Duration.ZERO));
        }
    }

    private static int told(Conversation.Answered answered) {
        return answered.request().settlements().size();
    }

    private void enqueue(int jobs) {
        queue.enqueue(IntStream.range(0, jobs)
                .mapToObj(i -> NewJob.of("work", "{}").withId("job-" + i))
                .toList());
    }

    private static Attempts attempts(Duration lease) {
        Slots slots = new Slots(1, Runnable::run);
        return new Attempts(
                new Listeners(List.of()),
                slots,
                new Silence(lease, Rests.DEFAULT.longest()),
                new Siblings(List.of()),
                () -> {});
    }

    private Conversation conversation(Attempts attempts) {
        Exchange exchange = new Exchange(gated.queue("q"), LEASE);
        return new Conversation(exchange, attempts, LEASE, new Conversation.Worker() {
            @Override
            public void start(Taken job, LeaseEnd leaseEnd) {
                taken.add(job);
            }

            @Override
            public void buried() {}
        });
    }
}
