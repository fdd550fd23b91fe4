package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.NewJob;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobRecordTest {
    @Test
    void a_body_is_read_back_as_it_was_written() {
        RetryPolicy retry = new RetryPolicy(3, 9, Backoff.fixed(Duration.ofSeconds(5)));
        NewJob job = NewJob.of("capture", "line\n\nline")
                .withHeaders(Map.of("a", "\n", "name", "x"))
                .retry(retry);
        JobRecord record =
                JobRecord.parse("id", "2 1 1000 900 7\tkey 1\tunique 1\n{\"message\":\"m\"}\n" + JobRecord.body(job));

        assertThat(record)
                .isEqualTo(new JobRecord(
                        "id",
                        new JobHead(2, 1, 1000, 900, 7, "key 1", "unique 1"),
                        "{\"message\":\"m\"}",
                        new Envelope("capture", Map.of("a", "\n", "name", "x"), retry),
                        "line\n\nline"));
        assertThat(record.lease("t")).isEqualTo(new Lease("id", "t", "key 1", "unique 1"));
        assertThat(record.toJob("payments").start()).isEqualTo(3);
        assertThat(record.toJob("payments").attempt()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0 0 0 0 0\t\t",
                "0 0 0 0\t\t\n\n{}\nx",
                "0 0 0 a 0\t\t\n\n{}\nx",
                "0 0 0 0 0\t\t\n\nwork\tsecret\nx"
            })
    void a_record_that_cannot_be_read_is_an_error_without_its_data(String text) {
        assertThatThrownBy(() -> JobRecord.parse("id-1", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("job id-1 has a record that this version cannot read")
                .hasMessageNotContaining("secret");
    }
}
