package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.jdbi.Position.Claimed;
import dev.baton.jdbi.Position.Snapshot;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxShard;
import dev.baton.outbox.OutboxShard.Refused;
import dev.baton.outbox.OutboxShard.Turn;
import dev.baton.outbox.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three transactions, each in three steps, in every order there is (but for their names), with a claim after each step. By turns one
 * of them is rolled back, a claim is not committed, an event is parked, and it is asked before the claim whether anything waits.
 */
@Timeout(300)
class PositionIT {
    private static final int TRANSACTIONS = 3;
    private static final int STEPS = 3;

    /** With how many limits each order is run; 3 are all. */
    private static final int LIMITS = Integer.getInteger("baton.limits", 1);

    // It commits thousands of times, and no crash is part of the test.
    private final HikariDataSource pool = Database.pool("&options=-c%20synchronous_commit=off");
    private final Jdbi jdbi = Jdbi.create(pool);
    private final OutboxShard shard = new JdbiOutboxStore(jdbi).shard(0, 1, Set.of("t"));
    private final List<Handle> writers = new ArrayList<>();
    private final Set<UUID> taken = new HashSet<>();
    private final Set<UUID> written = new HashSet<>();
    private final UUID[] ids = new UUID[TRANSACTIONS];

    PositionIT() {
        OutboxSchema.migrate(jdbi);
        for (int i = 0; i < TRANSACTIONS; i++) {
            writers.add(jdbi.open());
        }
    }

    @AfterEach
    void close() {
        writers.forEach(Handle::close);
        pool.close();
    }

    @Test
    void nothing_is_stranded_in_whatever_order_numbers_are_drawn_rows_written_and_transactions_committed() {
        List<List<Integer>> orders = new ArrayList<>();
        orders(new ArrayList<>(), orders);
        assertThat(orders).hasSize(280);
        int n = 0;
        for (List<Integer> order : orders) {
            // Small limits make the position go back; every third claim is not committed.
            for (int i = 0; i < LIMITS; i++, n++) {
                run(order, 1 + n % 3, n);
            }
        }
        assertThat(taken).isEqualTo(written);
    }

    /** A standby that lacked the last commits was promoted: it gives out their numbers again. */
    @Test
    void a_position_of_another_server_is_forgotten() {
        JdbiShard old = new JdbiShard(jdbi, OutboxTables.DEFAULT, JdbiShard.Limits.DEFAULT, 0, 1, Set.of("t"));
        Snapshot elsewhere = new Snapshot("999999999", List.of(), "2020-02-02 02:02:02+00");
        old.ownPosition().moveOn(new Claimed(elsewhere, List.of(), false, 2_000, 1_000, 1), true, Long.MAX_VALUE);
        assertThat(old.position()).isEqualTo(1_000);
        Event event = Event.of("t", "a", "{}");
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, event));
        try (Turn turn = old.turn().orElseThrow()) {
            assertThat(turn.claim(10).events()).extracting(StoredEvent::id).containsExactly(event.id());
        }
        assertThat(old.position()).isZero();
    }

    private void run(List<Integer> order, int limit, int round) {
        int[] step = new int[TRANSACTIONS];
        long[] seq = new long[TRANSACTIONS];
        int claims = 0;
        for (int writer : order) {
            Handle handle = writers.get(writer);
            switch (step[writer]++) {
                // The number is drawn while the transaction has no id yet.
                case 0 -> {
                    handle.begin();
                    seq[writer] = handle.createQuery("SELECT nextval(pg_get_serial_sequence('outbox_events', 'seq'))")
                            .mapTo(Long.class)
                            .one();
                }
                case 1 -> {
                    UUID id = UUID.randomUUID();
                    ids[writer] = id;
                    written.add(id);
                    if (round % 2 == 0) {
                        handle.savepoint("s");
                    }
                    handle.execute(
                            "INSERT INTO outbox_events (seq, id, topic, aggregate_id, payload)"
                                    + " OVERRIDING SYSTEM VALUE VALUES (?, ?, 't', 'a', '{}')",
                            seq[writer],
                            id);
                }
                default -> end(writer, round);
            }
            look(round);
            claim(limit, ++claims % 3 != round % 3, claims % 7 == round % 7);
        }
        for (int i = 0; i < TRANSACTIONS + 1; i++) {
            claim(limit, true, false);
        }
        assertThat(taken).as("after the order %s", order).isEqualTo(written);
        assertThat(shard.waiting()).isFalse();
    }

    private void end(int writer, int round) {
        if (round % 4 == writer) {
            writers.get(writer).rollback();
            written.remove(ids[writer]);
        } else {
            writers.get(writer).commit();
        }
    }

    /** Nobody else is at work, so what it says holds until the claim. */
    private void look(int round) {
        if (round % 2 == 0 && !shard.waiting()) {
            try (Turn turn = shard.turn().orElseThrow()) {
                assertThat(turn.claim(10).events()).isEmpty();
            }
        }
    }

    /** @param park whether the first event is refused for an hour, instead of being published */
    private void claim(int limit, boolean commit, boolean park) {
        try (Turn turn = shard.turn().orElseThrow()) {
            List<StoredEvent> events = turn.claim(limit).events();
            if (commit) {
                List<StoredEvent> parked = park && !events.isEmpty() ? events.subList(0, 1) : List.of();
                turn.park(parked.stream()
                        .map(event -> new Refused(event, "later", Duration.ofHours(1), false, Set.of()))
                        .toList());
                turn.publish(events.subList(parked.size(), events.size()), 1);
                turn.commit();
                events.forEach(event -> assertThat(taken.add(event.id())).isTrue());
            }
        }
    }

    private static void orders(List<Integer> begun, List<List<Integer>> all) {
        if (begun.size() == TRANSACTIONS * STEPS) {
            all.add(List.copyOf(begun));
        }
        long seen = begun.stream().distinct().count();
        for (int i = 0; i < Math.min(TRANSACTIONS, seen + 1); i++) {
            int writer = i;
            if (begun.stream().filter(other -> other == writer).count() < STEPS) {
                begun.add(writer);
                orders(begun, all);
                begun.remove(begun.size() - 1);
            }
        }
    }
}
