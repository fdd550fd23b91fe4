package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.internal.Loop;
import dev.baton.internal.Pass;
import dev.baton.internal.Rests;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerLoopsTest {
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    @Test
    void as_soon_as_one_loop_gets_through_the_others_try_again_however_long_they_would_rest() {
        AtomicBoolean away = new AtomicBoolean(true);
        AtomicInteger calls = new AtomicInteger();
        Pass pass = () -> {
            calls.incrementAndGet();
            if (away.get()) {
                throw new IllegalStateException("away");
            }
            return TEN_MINUTES;
        };
        WorkerLoops loops = new WorkerLoops("q", new Rests(TEN_MINUTES, TEN_MINUTES));
        try (Loop one = loops.add("one", pass).start();
                Loop two = loops.add("two", pass).start();
                Loop three = loops.add("three", pass).start()) {
            await().until(() -> calls.get() == 3);
            away.set(false);
            one.retry();
            await().until(() -> calls.get() >= 6);
            assertThat(two).isNotSameAs(three);
        }
    }
}
