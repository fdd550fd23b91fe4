package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.job.EnqueueAnswer;
import dev.baton.job.NewJob;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How large a payload may be, what it may hold, and how calls with many of them are cut. */
class PayloadIT {
    private final QueueFixture fixture = new QueueFixture();
    private final RedisJobQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_call_is_cut_into_chunks_of_jobs_and_of_bytes() {
        NewJob small = NewJob.of("work", "{}");
        NewJob large = NewJob.of("work", "x".repeat(200_000));
        assertThat(queue.chunks(Collections.nCopies(250, small)))
                .extracting(List::size)
                .containsExactly(100, 100, 50);
        assertThat(queue.chunks(Collections.nCopies(25, large)))
                .as("of at most 2 MB")
                .extracting(List::size)
                .containsExactly(10, 10, 5);
        assertThat(queue.maxPayload(3_000_000).chunks(List.of(small, NewJob.of("work", "x".repeat(3_000_000)), small)))
                .as("a larger one goes alone")
                .extracting(List::size)
                .containsExactly(1, 1, 1);
    }

    @Test
    void the_cap_of_a_payload_is_a_setting_of_whoever_enqueues() {
        NewJob large = NewJob.of("work", "x".repeat(300_000));
        assertThat(queue.maxPayload(300_000).enqueue(large)).isEqualTo(EnqueueAnswer.ACCEPTED);
        assertThatThrownBy(() -> queue.maxPayload(299_999).enqueue(large)).hasMessageContaining("at most 299999");
        for (int bad : new int[] {0, 16 * 1024 * 1024 + 1}) {
            assertThatThrownBy(() -> queue.maxPayload(bad)).hasMessageContaining("" + bad);
        }
    }

    @Test
    void a_payload_over_the_cap_is_refused_before_anything_is_written() {
        NewJob good = NewJob.of("capture", "{}").withId("good");
        NewJob large = NewJob.of("capture", "\u00e9".repeat(131_073)).withId("large");
        assertThatThrownBy(() -> queue.enqueue(List.of(good, large)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("large")
                .hasMessageContaining("has 262146 bytes; at most 262144 are allowed");
        assertThat(queue.counts().ready()).isZero();
        assertThat(queue.enqueue(NewJob.of("capture", "\u00e9".repeat(131_072))))
                .isEqualTo(EnqueueAnswer.ACCEPTED);
    }

    @Test
    void half_a_surrogate_pair_is_refused_rather_than_turned_into_a_question_mark() {
        assertThatThrownBy(() -> queue.enqueue(NewJob.of("capture", "ab\uD83D")))
                .hasMessageContaining("half a surrogate pair at index 2");
    }
}
