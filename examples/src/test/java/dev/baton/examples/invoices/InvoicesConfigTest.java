package dev.baton.examples.invoices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.examples.service.Environment;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InvoicesConfigTest {
    private static final Map<String, String> COMPLETE = Map.of(
            "DATABASE_URL", "postgres://office:s3cret@db/invoices",
            "REDIS_URL", "redis://:s3cret@cache:6379",
            "PROVIDER_URL", "http://localhost:8090");

    @Test
    void a_worker_makes_ten_calls_at_once_unless_told_otherwise() {
        assertThat(with("INVOICE_LEASE_SECONDS", "15").concurrency()).isEqualTo(10);
        assertThat(with("INVOICE_ISSUANCE_WORKER_CONCURRENCY", "4").concurrency())
                .isEqualTo(4);
    }

    @Test
    void what_one_process_uses_another_one_can_be_told_to_use() {
        // A small factor is written as 3.3E-4.
        InvoicesConfig config = with("INVOICE_RETRY_FACTOR", Double.toString(1 / 3_000.0));

        assertThat(InvoicesConfig.from(new Environment(config.toEnvironment()))).isEqualTo(config);
    }

    @Test
    void no_password_is_shown() {
        assertThat(with("INVOICE_PREFIX", "invoices").toString()).doesNotContain("s3cret");
    }

    private static InvoicesConfig with(String variable, String value) {
        Map<String, String> environment = new HashMap<>(COMPLETE);
        environment.put(variable, value);
        return InvoicesConfig.from(new Environment(environment));
    }
}
