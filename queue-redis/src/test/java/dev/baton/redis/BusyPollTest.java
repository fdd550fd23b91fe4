package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The clock moves by 10 microseconds whenever somebody reads it, and counts how often. */
class BusyPollTest {
    private static final InputStream NOTHING = new ByteArrayInputStream(new byte[0]);
    private static final InputStream ANSWER = new ByteArrayInputStream(new byte[1]);

    private long readings;
    private final BusyPoll.Gate gate = gate(Duration.ofNanos(100_000), 2);
    private final BusyPoll poll = new BusyPoll(gate);

    @Test
    void an_answer_that_is_there_is_not_waited_for() throws Exception {
        assertThat(readingsOf(poll, ANSWER)).isEqualTo(1);
    }

    @Test
    void a_look_ends_when_the_answer_comes() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        InputStream third = answers(() -> asked.getAndIncrement() < 3 ? 0 : 1);
        assertThat(readingsOf(poll, third)).isEqualTo(4);
    }

    @Test
    void a_look_lasts_no_longer_than_it_may() throws Exception {
        // The first reading is the beginning, the eleventh is 100 microseconds later.
        assertThat(readingsOf(poll, NOTHING)).isEqualTo(11);
    }

    @Test
    void after_each_vain_look_twice_as_many_answers_pass_without_one() throws Exception {
        List<Integer> passed = new ArrayList<>();
        assertThat(readingsOf(poll, NOTHING)).isEqualTo(11);
        for (int look = 0; look < 13; look++) {
            int without = 0;
            while (readingsOf(poll, NOTHING) == 0) {
                without++;
            }
            passed.add(without);
        }
        assertThat(passed).containsExactly(1, 3, 7, 15, 31, 63, 127, 255, 511, 1_023, 1_024, 1_024, 1_024);
    }

    @Test
    void looks_that_find_something_make_the_pauses_short_again() throws Exception {
        vain(3);
        for (int i = 0; i < 7; i++) {
            assertThat(readingsOf(poll, ANSWER)).isZero();
        }
        assertThat(readingsOf(poll, ANSWER)).isEqualTo(1);
        assertThat(readingsOf(poll, ANSWER)).isEqualTo(1);
        // 7 became 3 and 1: a vain look lets 3 pass now, not 15.
        assertThat(readingsOf(poll, NOTHING)).isEqualTo(11);
        for (int i = 0; i < 3; i++) {
            assertThat(readingsOf(poll, NOTHING)).isZero();
        }
        assertThat(readingsOf(poll, NOTHING)).isEqualTo(11);
    }

    @Test
    void the_rest_of_an_answer_is_not_looked_for_and_counts_for_nothing() throws Exception {
        assertThat(readingsOf(poll, NOTHING)).isEqualTo(11);
        long before = readings;
        for (int i = 0; i < 5; i++) {
            poll.await(ANSWER);
        }
        assertThat(readings).isEqualTo(before);
        assertThat(readingsOf(poll, NOTHING)).as("the one that passes").isZero();
        assertThat(readingsOf(poll, NOTHING)).isEqualTo(11);
    }

    @Test
    void while_one_looks_another_does_not() throws Exception {
        BusyPoll other = new BusyPoll(gate);
        List<Long> others = new ArrayList<>();
        InputStream meanwhile = answers(() -> {
            others.add(readingsOf(other, NOTHING));
            return 1;
        });
        poll.asked();
        poll.await(meanwhile);
        assertThat(others).containsExactly(0L);
        assertThat(readingsOf(other, NOTHING)).isEqualTo(11);
    }

    @Test
    void a_connection_that_fails_while_one_looks_lets_the_next_look() throws Exception {
        InputStream closed = answers(() -> {
            throw new IOException("Socket closed");
        });
        poll.asked();
        assertThatThrownBy(() -> poll.await(closed)).hasMessage("Socket closed");
        assertThat(readingsOf(new BusyPoll(gate), NOTHING)).isEqualTo(11);
    }

    @Test
    void nobody_looks_on_a_single_processor_or_for_no_time() throws Exception {
        assertThat(readingsOf(new BusyPoll(gate(Duration.ofNanos(100_000), 1)), NOTHING))
                .isZero();
        assertThat(readingsOf(new BusyPoll(gate(Duration.ZERO, 2)), NOTHING)).isZero();
    }

    private void vain(int looks) throws IOException {
        for (int i = 0; i < looks; i++) {
            while (readingsOf(poll, NOTHING) == 0) {}
        }
    }

    private long readingsOf(BusyPoll one, InputStream answers) throws IOException {
        long before = readings;
        one.asked();
        one.await(answers);
        return readings - before;
    }

    private BusyPoll.Gate gate(Duration atMost, int processors) {
        return new BusyPoll.Gate(atMost, processors, () -> 10_000 * readings++);
    }

    private static InputStream answers(Available available) {
        return new FilterInputStream(NOTHING) {
            @Override
            public int available() throws IOException {
                return available.bytes();
            }
        };
    }

    private interface Available {
        int bytes() throws IOException;
    }
}
