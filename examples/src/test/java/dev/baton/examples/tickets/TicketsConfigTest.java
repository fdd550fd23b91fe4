package dev.baton.examples.tickets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.examples.service.Environment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TicketsConfigTest {
    private static final Map<String, String> COMPLETE =
            Map.of("DATABASE_URL", "postgres://office:s3cret@db/tickets", "REDIS_URL", "redis://:s3cret@cache:6379");

    @Test
    void seats_are_held_for_ten_minutes_unless_told_otherwise() {
        assertThat(TicketsConfig.from(new Environment(COMPLETE)).hold()).isEqualTo(Duration.ofMinutes(10));

        Map<String, String> other = new HashMap<>(COMPLETE);
        other.put("TICKETS_HOLD_SECONDS", "90");
        assertThat(TicketsConfig.from(new Environment(other)).hold()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void what_one_process_uses_another_one_can_be_told_to_use() {
        TicketsConfig config = TicketsConfig.from(new Environment(COMPLETE));

        assertThat(TicketsConfig.from(new Environment(config.toEnvironment()))).isEqualTo(config);
    }

    @Test
    void no_password_is_shown() {
        assertThat(TicketsConfig.from(new Environment(COMPLETE)).toString()).doesNotContain("s3cret");
    }
}
