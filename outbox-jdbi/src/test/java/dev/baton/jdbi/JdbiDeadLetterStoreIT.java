package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.deadletter.DeadLetter;
import dev.baton.failure.DeathReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

class JdbiDeadLetterStoreIT {
    private static final Instant DIED = Instant.parse("2026-02-01T10:00:00Z");

    private final Jdbi jdbi = Database.fresh();
    private final JdbiDeadLetterStore store = new JdbiDeadLetterStore(jdbi);

    @Test
    void a_letter_is_kept_as_it_was_buried() {
        DeadLetter letter = letter("1", "{\"b\":1,\"a\":9007199254740993}", DIED);
        store.bury(List.of(letter));
        assertThat(store.open(10)).containsExactly(letter);
    }

    @Test
    void a_letter_is_kept_although_a_transaction_open_in_the_thread_is_rolled_back() {
        jdbi.useHandle(handle -> {
            handle.begin();
            store.bury(List.of(letter("1", "{}", DIED)));
            handle.rollback();
        });
        assertThat(store.open(10)).hasSize(1);
    }

    @Test
    void a_letter_buried_twice_is_there_once() {
        store.bury(List.of(letter("1", "{}", DIED), letter("2", "{}", DIED)));
        store.bury(List.of(letter("1", "{}", DIED)));
        assertThat(store.open(10)).hasSize(2);
    }

    @Test
    void a_later_death_opens_the_letter_again_and_an_earlier_one_changes_nothing() {
        store.bury(List.of(letter("1", "first", DIED)));
        jdbi.useHandle(handle -> handle.execute("UPDATE dead_letters SET closed_at = now()"));

        store.bury(List.of(letter("1", "first", DIED)));
        assertThat(store.open(10)).isEmpty();
        store.bury(List.of(letter("1", "second", DIED.plusSeconds(1))));
        assertThat(store.open(10)).extracting(DeadLetter::payload).containsExactly("second");
    }

    @Test
    void a_payload_that_is_not_json_and_has_a_null_character_is_no_reason_to_refuse() {
        store.bury(List.of(letter("1", "not json \u0000", DIED)));
        assertThat(store.open(10)).extracting(DeadLetter::payload).containsExactly("not json \u2400");
    }

    @Test
    void the_oldest_come_first_and_no_more_than_asked_for() {
        store.bury(List.of(letter("2", "{}", DIED.plusSeconds(2)), letter("1", "{}", DIED)));
        assertThat(store.open(1)).extracting(DeadLetter::jobId).containsExactly("1");
    }

    private static DeadLetter letter(String id, String payload, Instant died) {
        return new DeadLetter(
                "payments",
                id,
                "capture-payment",
                payload,
                Map.of("correlationId", "r-1"),
                DeathReason.ATTEMPTS,
                null,
                "it failed",
                null,
                8,
                9,
                DIED.minusSeconds(60),
                died);
    }
}
