package dev.baton.examples.tickets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.examples.tickets.demo.Outages;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OutagesTest {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final Outages outages = new Outages();

    @Test
    void without_an_outage_all_the_time_counts() {
        assertThat(late(0, 1_500)).isEqualTo(1_500);
    }

    @Test
    void the_time_of_an_outage_that_falls_into_the_second_after_it_was_due_does_not_count() {
        outages.add(at(500), at(3_000));

        assertThat(late(0, 400)).isZero();
        assertThat(late(0, 3_200)).isEqualTo(200);
        assertThat(late(2_900, 3_200)).isEqualTo(200);
    }

    @Test
    void another_outage_does_not_excuse_it() {
        outages.add(at(-3_000), at(-1));
        outages.add(at(1_100), at(3_000));

        assertThat(late(0, 1_500)).isEqualTo(1_500);
    }

    private long late(long due, long done) {
        return outages.late(at(due), at(done)).toMillis();
    }

    private static Instant at(long ms) {
        return NOON.plus(Duration.ofMillis(ms));
    }
}
