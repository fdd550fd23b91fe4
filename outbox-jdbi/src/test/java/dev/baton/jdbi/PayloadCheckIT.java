package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.outbox.Event;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Test;

/** A payload that PostgreSQL would not take is refused before the transaction is touched. */
class PayloadCheckIT {
    private final Jdbi jdbi = Database.fresh();
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter();

    @Test
    void a_payload_that_is_not_json_is_refused_before_the_transaction_is_touched() {
        jdbi.useTransaction(tx -> {
            assertThatThrownBy(() -> writer.write(tx, Event.of("order.placed", 1, "{\"card\": 4111")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("order.placed")
                    .hasMessageContaining("is not JSON: it is wrong at index 13")
                    .hasMessageNotContaining("4111");
            writer.write(tx, Event.of("order.placed", 2, "{}"));
        });
        assertThat(Database.topics(jdbi)).containsExactly("order.placed");
    }

    @Test
    void what_the_check_lets_through_postgresql_takes_and_what_it_refuses_postgresql_refuses() {
        String deep = "[".repeat(400) + "]".repeat(400);
        for (String good : List.of(
                "{}",
                " [1, -0.5e+3, true, null] ",
                "\"\\ud83d\\ude00 \ud83d\ude00\"",
                "{\"a\":{\"b\":[]}}",
                "0",
                deep)) {
            jdbi.useTransaction(tx -> writer.write(tx, Event.of("good", 1, good)));
        }
        for (String bad : List.of(
                "",
                "{",
                "{,}",
                "[1,]",
                "01",
                "1.",
                "tru",
                "\"\\x\"",
                "{\"a\" 1}",
                "1 2",
                "\"\\u0000\"",
                "\"\\ud83d\"",
                "\"\\ude00\"",
                "\"\n\"",
                "'a'",
                "nul",
                "-")) {
            assertThatThrownBy(() -> jdbi.useTransaction(tx -> writer.write(tx, Event.of("bad", 1, bad))))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> jdbi.useHandle(handle -> handle.execute("SELECT ?::jsonb", bad)))
                    .as(bad)
                    .isInstanceOf(JdbiException.class);
        }
        assertThat(Database.topics(jdbi)).hasSize(6).containsOnly("good");
    }

    @Test
    void a_payload_that_is_too_large_or_too_deep_or_holds_half_a_character_is_refused_by_its_bound() {
        String large = "\"" + "x".repeat(300_000) + "\"";
        assertRefused(large, "has 300002 bytes; at most 262144");
        assertRefused("[".repeat(600) + "]".repeat(600), "nested more than 500 deep");
        assertRefused("\"\ud83d\"", "half a surrogate pair at index 1");
        assertRefused("\"a\\u0000\"", "has a \\u0000 at index 2");
    }

    private void assertRefused(String payload, String because) {
        assertThatThrownBy(() -> jdbi.useTransaction(tx -> writer.write(tx, Event.of("bad", 1, payload))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(because);
    }
}
