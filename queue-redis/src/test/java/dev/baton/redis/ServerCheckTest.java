package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerCheckTest {
    @Test
    void redis_is_needed_from_6_2_on() {
        assertThat(List.of("2.8.19", "5.0.14", "6.0.20")).allMatch(ServerCheck::isTooOld);
        assertThat(List.of("6.2.0", "6.2.11", "7.0.15", "7.2.4", "8.0.1", "10.0.0"))
                .noneMatch(ServerCheck::isTooOld);
    }

    @Test
    void a_version_that_cannot_be_read_is_not_held_against_a_server() {
        assertThat(List.of("", "unstable", "99999999999.1")).noneMatch(ServerCheck::isTooOld);
    }
}
