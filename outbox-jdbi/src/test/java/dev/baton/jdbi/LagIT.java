package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.outbox.Event;
import dev.baton.outbox.Lag;
import java.time.Duration;
import java.util.Set;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much is unpublished, and for how long. */
@Timeout(60)
class LagIT {
    private static final Set<String> ALL = Set.of("a", "b", "c");

    private final Jdbi jdbi = Database.fresh();
    private final JdbiOutboxStore store = new JdbiOutboxStore(jdbi);

    @Test
    void the_lag_is_the_age_of_the_oldest_unpublished_event() {
        assertThat(store.lag(ALL)).isEqualTo(new Lag(0, 0, 0, Duration.ZERO));
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, Event.of("a", 1, "{}")));
        jdbi.useHandle(handle -> handle.execute("UPDATE outbox_events SET created_at = now() - interval '1 hour'"));
        assertThat(store.lag(ALL).unpublished()).isEqualTo(1);
        assertThat(store.lag(ALL).oldestAge()).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
    }

    @Test
    void the_lag_is_counted_up_to_a_bound_and_no_more_of_the_backlog_is_read() {
        jdbi.useHandle(handle -> handle.execute(
                "INSERT INTO outbox_events (id, topic, aggregate_id, payload)"
                        + " SELECT gen_random_uuid(), 'unknown', '1', '{}' FROM generate_series(1, ?)",
                Lag.MOST + 10));
        assertThat(store.lag(ALL)).satisfies(lag -> {
            assertThat(lag.unpublished()).isEqualTo(Lag.MOST);
            assertThat(lag.unknown()).isEqualTo(Lag.MOST);
        });
    }
}
