package dev.baton.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.outbox.StoredEvent;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BatchSizeTest {
    @Test
    void it_begins_with_few_and_of_small_events_takes_as_many_as_it_may() {
        BatchSize size = new BatchSize(1_000);
        assertThat(size.next()).isEqualTo(250);
        size.was(events(250, 300));
        assertThat(size.next()).isEqualTo(1_000);
        assertThat(new BatchSize(20).next()).isEqualTo(20);
    }

    @Test
    void of_large_events_it_takes_about_sixteen_million_characters() {
        BatchSize size = new BatchSize(5_000);
        size.was(events(10, 256 * 1024));
        assertThat(size.next()).isEqualTo(64);
        size.was(events(64, 1_000));
        assertThat(size.next()).isEqualTo(5_000);
    }

    @Test
    void after_failures_it_takes_half_as_many_but_never_none_and_recovers_at_once() {
        BatchSize size = new BatchSize(1_000);
        size.was(events(1, 1));
        size.failed();
        assertThat(size.next()).isEqualTo(500);
        for (int i = 0; i < 100; i++) {
            size.failed();
        }
        assertThat(size.next()).isEqualTo(1);
        size.was(List.of());
        assertThat(size.next()).isEqualTo(1);
        size.was(events(1, 300));
        assertThat(size.next()).isEqualTo(1_000);
    }

    /** With headers of two characters. */
    private static List<StoredEvent> events(int count, int characters) {
        String payload = "x".repeat(characters - (characters > 2 ? 2 : 0));
        return Collections.nCopies(
                count, new StoredEvent(1, new UUID(0, 1), "t", "a", payload, "{}", null, 0, 0, Set.of()));
    }
}
