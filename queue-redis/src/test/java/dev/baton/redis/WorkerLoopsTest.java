package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.internal.Loop;
import dev.baton.internal.Rests;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerLoopsTest {
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    private final AtomicBoolean away = new AtomicBoolean(true);
    private final AtomicInteger calls = new AtomicInteger();
    private final Recovery recovery = new Recovery();
    private final WorkerLoops loops = new WorkerLoops("q", new Rests(TEN_MINUTES, TEN_MINUTES), recovery);

    @Test
    void as_soon_as_one_loop_gets_through_the_others_try_again_however_long_they_would_rest() {
        try (Loop one = loops.add("one", this::pass).start();
                Loop two = loops.add("two", this::pass).start();
                Loop three = loops.add("three", this::pass).start()) {
            await().until(() -> calls.get() == 3);
            away.set(false);
            one.retry();
            await().until(() -> calls.get() >= 6);
            assertThat(two).isNotSameAs(three);
        }
    }

    @Test
    void when_the_servers_are_said_to_be_back_all_try_again_until_the_worker_has_ended() {
        try (Loop one = loops.add("one", this::pass).start();
                Loop two = loops.add("two", this::pass).start()) {
            await().until(() -> calls.get() == 2);
            recovery.back();
            await().until(() -> calls.get() == 4);

            loops.ended();
            recovery.back();
            one.retry();
            await().until(() -> calls.get() == 5);
            assertThat(two).isNotSameAs(one);
        }
    }

    private Duration pass() {
        calls.incrementAndGet();
        if (away.get()) {
            throw new IllegalStateException("away");
        }
        return TEN_MINUTES;
    }
}
