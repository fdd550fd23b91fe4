package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OnceTest {

    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void many_threads_get_the_one_value() {
        Once<Integer> once = new Once<>(calls::incrementAndGet);

        assertThat(IntStream.range(0, 100).parallel().mapToObj(each -> once.get()))
                .containsOnly(1);
    }

    @Test
    void a_failure_is_remembered_and_not_tried_again() {
        Once<Integer> once = new Once<>(() -> {
            throw new IllegalStateException("attempt " + calls.incrementAndGet());
        });

        assertThatThrownBy(once::get).hasMessage("attempt 1");
        assertThatThrownBy(once::get).hasMessage("attempt 1");
    }
}
