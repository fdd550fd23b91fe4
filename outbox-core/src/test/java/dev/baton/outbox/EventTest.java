package dev.baton.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventTest {
    @Test
    void text_is_taken_as_json_and_anything_else_is_written_as_json() {
        assertThat(Event.of("order.placed", 7, "{\"total\": 1}").payload()).isEqualTo("{\"total\": 1}");
        assertThat(Event.of("order.placed", 7, Map.of("total", 1)).payload()).isEqualTo("{\"total\":1}");
    }

    @Test
    void its_own_headers_win_over_added_ones() {
        Event event = Event.of("order.placed", 7, "{}").withHeaders(Map.of("a", "own"));
        assertThat(event.withHeaders(Map.of("a", "other", "b", "new")).headers())
                .isEqualTo(Map.of("a", "own", "b", "new"));
    }

    @Test
    void it_never_shows_its_payload() {
        assertThat(Event.of("order.placed", 7, "{\"card\":\"4242\"}").toString())
                .contains("order.placed")
                .doesNotContain("4242");
    }

    @Test
    void a_bad_topic_or_aggregate_is_refused_by_name_and_bound() {
        assertThatThrownBy(() -> Event.of(" ", 7, "{}")).hasMessageContaining("Event.topic is blank");
        assertThatThrownBy(() -> Event.of("a\nb", 7, "{}")).hasMessageContaining("Event.topic has a control character");
        assertThatThrownBy(() -> Event.of("a", "x".repeat(201), "{}"))
                .hasMessage("Event.aggregateId has 201 characters; at most 200 are allowed");
        assertThatThrownBy(() -> Event.of("a", 7, "{}").withHeaders(Map.of("", "x")))
                .hasMessageContaining("the name of a header is blank");
    }

    @Test
    void a_header_that_no_store_can_keep_is_refused_by_name_and_without_its_value() {
        assertThatThrownBy(() -> with("tenant", "se\0cret"))
                .hasMessage("the header tenant has a null character, which jsonb cannot hold; leave it out");
        assertThatThrownBy(() -> with("tenant", "se\ud800"))
                .hasMessage("the header tenant has half a surrogate pair at index 2");
        assertThatThrownBy(() -> with("tenant", "\u00e9".repeat(4_097)))
                .hasMessage("the header tenant has 8194 bytes; at most 8192 are allowed");
        assertThat(with("tenant", "\u00e9".repeat(4_096)).headers()).hasSize(1);
    }

    @Test
    void a_moment_that_no_store_can_keep_is_refused_with_its_bounds() {
        assertThatThrownBy(() -> Event.of("a", 7, "{}")
                        .notBefore(Instant.parse("9999-12-31T23:59:59.999Z").plusMillis(1)))
                .hasMessage("Event.notBefore is +10000-01-01T00:00:00Z; it must be between 0001-01-01T00:00:00Z and"
                        + " 9999-12-31T23:59:59.999Z");
        assertThatThrownBy(() -> Event.of("a", 7, "{}").notBefore(Instant.MIN)).hasMessageContaining("Event.notBefore");
        assertThat(Event.of("a", 7, "{}").notBefore(Instant.EPOCH).notBefore()).isEqualTo(Instant.EPOCH);
    }

    private static Event with(String header, String value) {
        return Event.of("a", 7, "{}").withHeaders(Map.of(header, value));
    }
}
