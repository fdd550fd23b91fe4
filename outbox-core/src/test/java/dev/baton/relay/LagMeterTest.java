package dev.baton.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.outbox.Lag;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LagMeterTest {
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void a_quick_store_is_asked_each_time() {
        LagMeter meter = new LagMeter(() -> lag(Duration.ZERO));
        assertThat(meter.get().unpublished()).isEqualTo(1);
        assertThat(meter.get().unpublished()).isEqualTo(2);
    }

    @Test
    void the_answer_of_a_slow_one_is_given_again() {
        LagMeter meter = new LagMeter(() -> lag(Duration.ofMillis(100)));
        assertThat(meter.get().unpublished()).isEqualTo(1);
        assertThat(meter.get().unpublished()).isEqualTo(1);
    }

    /** Busy for so long. */
    private Lag lag(Duration takes) {
        long began = System.nanoTime();
        while (System.nanoTime() - began < takes.toNanos()) {
            Thread.onSpinWait();
        }
        return new Lag(asked.incrementAndGet(), 0, 0, Duration.ZERO);
    }
}
