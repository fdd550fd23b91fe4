package dev.baton.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.failure.PermanentException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobTest {
    record Order(String id, long total) {}

    @Test
    void a_payload_is_read_as_the_class_that_was_asked_for() {
        assertThat(job("{\"id\":\"a\",\"total\":9007199254740993}").payload(Order.class))
                .isEqualTo(new Order("a", 9007199254740993L));
    }

    @Test
    void a_payload_that_cannot_be_read_is_a_permanent_failure_without_its_data() {
        assertThatThrownBy(() -> job("{\"total\":\"secret\"}").payload(Order.class))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("the payload of capture 1 is not JSON of a " + Order.class.getName())
                .hasMessageNotContaining("secret");
    }

    @Test
    void neither_a_job_nor_a_new_job_shows_its_payload() {
        assertThat(job("secret").toString()).doesNotContain("secret");
        assertThat(NewJob.of("capture", "secret").toString()).doesNotContain("secret");
    }

    @Test
    void a_time_that_no_store_can_keep_is_refused_with_its_bounds() {
        NewJob job = NewJob.of("capture", "{}");
        assertThatThrownBy(() -> job.after(Duration.ofDays(36_526)))
                .hasMessage("delay is PT876624H; it must be at most PT876600H");
        assertThat(job.after(Duration.ofDays(36_525)).options().delay()).isEqualTo(Duration.ofDays(36_525));
        assertThatThrownBy(() -> job.at(Instant.MAX))
                .hasMessageContaining("at is +1000000000-12-31T23:59:59.999999999Z");
        assertThat(job.at(Instant.parse("9999-12-31T23:59:59.999Z")).options().at())
                .isNotNull();
    }

    private static Job job(String payload) {
        return new Job("payments", "1", "capture", payload, Map.of(), Instant.EPOCH, 1, 1);
    }
}
