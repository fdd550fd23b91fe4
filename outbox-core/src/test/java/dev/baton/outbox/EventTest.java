package dev.baton.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
