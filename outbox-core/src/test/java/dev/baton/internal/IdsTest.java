package dev.baton.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdsTest {
    @Test
    void an_id_is_a_uuid_of_version_7_that_begins_with_the_time() {
        long before = System.currentTimeMillis();
        UUID id = Ids.timeOrdered();
        long after = System.currentTimeMillis();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        // Up to 4,096 of a millisecond are its own; more of them run ahead.
        assertThat(id.getMostSignificantBits() >>> 16).isBetween(before, after + 1_000);
    }

    @Test
    void a_hundred_thousand_ids_are_all_different() {
        Set<UUID> ids = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            ids.add(Ids.timeOrdered());
        }
        assertThat(ids).hasSize(100_000);
    }

    @Test
    void each_is_larger_than_the_one_before_as_a_text_too() {
        String last = "";
        for (int i = 0; i < 100_000; i++) {
            String next = Ids.timeOrdered().toString();
            assertThat(next).isGreaterThan(last);
            last = next;
        }
    }

    @Test
    void a_session_is_64_hexadecimal_digits() {
        assertThat(Ids.session()).matches("[0-9a-f]{64}").isNotEqualTo(Ids.session());
    }
}
