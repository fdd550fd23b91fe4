package dev.baton.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LoopTest {
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void a_failure_that_no_logger_can_bear_does_not_end_the_loop() {
        Exception chain = new Exception("innermost");
        for (int i = 0; i < 100_000; i++) {
            chain = new Exception("wrapper", chain);
        }
        IllegalStateException deep = new IllegalStateException(chain);
        AtomicInteger passes = new AtomicInteger();
        try (Loop loop = new Loop("test-deep", () -> {
                    passes.incrementAndGet();
                    throw deep;
                })
                .start()) {
            await().until(() -> passes.get() >= 3);
            assertThat(loop.stopping()).isFalse();
        }
    }

    @Test
    void no_error_ends_it_before_close() {
        AtomicInteger passes = new AtomicInteger();
        try (Loop loop = new Loop("test", () -> {
            switch (passes.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("one");
                case 2 -> throw new StackOverflowError("two");
                case 3 -> throw new InterruptedException("three");
                default -> {
                    return LONG;
                }
            }
        })) {
            loop.start();
            await().until(() -> passes.get() >= 4);
        }
    }

    @Test
    void a_loop_that_fails_makes_at_most_four_attempts_in_any_second() {
        // The shortest rests there are: a source of randomness that yields only zeros.
        RandomGenerator zeros = () -> 0;
        for (int first = 0; first < 20; first++) {
            long fourRests = 0;
            for (int i = first; i < first + 4; i++) {
                fourRests += Rests.DEFAULT.after(i, zeros).toMillis();
            }
            assertThat(fourRests).isGreaterThanOrEqualTo(1_000);
        }
        assertThat(Rests.DEFAULT.after(1_000, new Random())).isLessThanOrEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void rests_double_from_the_first_to_the_longest_and_half_of_each_is_random() {
        Rests rests = new Rests(Duration.ofSeconds(2), Duration.ofSeconds(30));
        RandomGenerator zeros = () -> 0;
        assertThat(IntStream.range(0, 6).mapToLong(i -> rests.after(i, zeros).toMillis()))
                .containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 15_000L, 15_000L);
        for (int i = 0; i < 1_000; i++) {
            assertThat(rests.after(2, new Random(i))).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
        }
        assertThat(IntStream.range(0, 1_000)
                        .mapToLong(i -> rests.after(2, new Random(i)).toMillis())
                        .summaryStatistics()
                        .getMax())
                .isGreaterThan(7_500);
    }

    @Test
    void when_one_loop_gets_through_another_that_rests_after_a_failure_tries_at_once() {
        Rests patience = new Rests(Duration.ofMinutes(5), Duration.ofMinutes(10));
        AtomicBoolean back = new AtomicBoolean();
        AtomicInteger tried = new AtomicInteger();
        AtomicInteger through = new AtomicInteger();
        try (Loop patient = new Loop(
                        "test-patient",
                        () -> {
                            tried.incrementAndGet();
                            if (!back.get()) {
                                throw new IllegalStateException("away");
                            }
                            through.compareAndSet(0, tried.get());
                            return LONG;
                        },
                        new FailureLog(),
                        patience,
                        () -> {})
                .start()) {
            await().until(() -> tried.get() == 1);
            patient.nudge();
            AtomicInteger quickPasses = new AtomicInteger();
            try (Loop quick = new Loop(
                    "test-quick",
                    () -> {
                        if (quickPasses.incrementAndGet() < 3) {
                            throw new IllegalStateException("away");
                        }
                        back.set(true);
                        return LONG;
                    },
                    new FailureLog(),
                    Rests.DEFAULT,
                    patient::retry)) {
                quick.start();
                await().until(() -> through.get() > 0);
            }
        }
        assertThat(through)
                .as("neither the nudge nor a failure elsewhere ended its rest")
                .hasValue(2);
    }

    @Test
    void rests_out_of_bounds_are_refused() {
        assertThatThrownBy(() -> new Rests(Duration.ofMillis(99), Duration.ofSeconds(1)))
                .hasMessageContaining("the first rest after a failure");
        assertThatThrownBy(() -> new Rests(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("the first rest after a failure");
        assertThatThrownBy(() -> new Rests(Duration.ofSeconds(2), Duration.ofMinutes(11)))
                .hasMessageContaining("the longest rest after a failure");
    }

    @Test
    void a_nudge_during_a_pass_causes_one_more() throws Exception {
        AtomicInteger passes = new AtomicInteger();
        CountDownLatch inPass = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Loop loop = new Loop("test", () -> {
            if (passes.incrementAndGet() == 1) {
                inPass.countDown();
                goOn.await();
            }
            return LONG;
        })) {
            loop.start();
            inPass.await();
            loop.nudge();
            goOn.countDown();
            await().until(() -> passes.get() == 2);
        }
    }

    @Test
    void a_nudge_during_the_rest_ends_it() {
        AtomicInteger passes = new AtomicInteger();
        try (Loop loop = new Loop("test", () -> {
            passes.incrementAndGet();
            return LONG;
        })) {
            loop.start();
            await().until(() -> passes.get() == 1);
            loop.nudge();
            await().until(() -> passes.get() == 2);
        }
    }

    @Test
    void close_lets_the_pass_in_progress_finish_and_begins_no_other() throws Exception {
        CountDownLatch inPass = new CountDownLatch(1);
        AtomicInteger passes = new AtomicInteger();
        AtomicBoolean finished = new AtomicBoolean();
        AtomicBoolean closing = new AtomicBoolean();
        Loop loop = new Loop("test", () -> {
            passes.incrementAndGet();
            inPass.countDown();
            await().untilTrue(closing);
            finished.set(true);
            return Duration.ZERO;
        });
        loop.start();
        inPass.await();
        loop.stop();
        closing.set(true);
        loop.close();
        assertThat(finished).isTrue();
        assertThat(passes).hasValue(1);
    }

    @Test
    void a_wake_up_just_before_the_wait_still_counts() throws Exception {
        Waiter waiter = new Waiter();
        waiter.wake();
        waiter.wake();
        long began = System.nanoTime();
        waiter.await(LONG);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONG);
        // Both wake-ups counted as one: the next wait lasts.
        waiter.await(Duration.ofMillis(1));
    }
}
