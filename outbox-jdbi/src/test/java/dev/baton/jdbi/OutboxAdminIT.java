package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.outbox.Event;
import dev.baton.outbox.StoredEvent;
import dev.baton.relay.PassResult;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutboxAdminIT {
    private final Jdbi jdbi = Database.fresh();
    private final OutboxAdmin admin = new OutboxAdmin(jdbi);
    private final MemorySink queue = new MemorySink("q");
    private final Replay lastHour = Replay.publishedBetween(now().minus(Duration.ofHours(1)), now().plusSeconds(3_600));

    @Test
    void a_replay_hands_over_what_was_asked_for_again_in_order_and_nothing_else() {
        Relay relay = relay(1);
        for (int i = 0; i < 5; i++) {
            write("a", "order-1");
            write("a", "order-2");
            write("b", "order-1");
            drain(relay);
        }
        Replay some = lastHour.topic("a").aggregate("order-1");
        assertThat(admin.count(lastHour.topic("a"))).isEqualTo(10);
        assertThat(admin.count(some)).isEqualTo(5);
        assertThat(queue.taken()).hasSize(15);
        assertThat(admin.replay(some, 1_000)).isEqualTo(5);
        // By the same relay, whose position is past them.
        drain(relay);
        assertThat(queue.taken()).hasSize(20);
        assertThat(queue.taken().subList(15, 20))
                .allMatch(event -> event.aggregateId().equals("order-1"));
        assertThat(queue.taken().subList(15, 20)).isSubsetOf(queue.taken().subList(0, 15));
        assertThat(admin.replay(Replay.publishedBetween(now().minusSeconds(90), now().minusSeconds(80)), 10))
                .isZero();
    }

    @Test
    void what_a_queue_still_remembers_it_gets_again_too_and_from_whatever_relay() {
        MemorySink other = new MemorySink("other");
        Routes routes =
                Routes.builder().route("a", queue, "x").route("b", other, "x").build();
        int all = 0;
        for (int shards = 1; shards <= 3; shards += 2) {
            if (shards > 1) {
                admin.reshard(shards);
            }
            int before = other.taken().size();
            Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), routes)
                    .shards(shards)
                    .build();
            for (int i = 0; i < 8; i++) {
                write("b", "order-" + i);
            }
            drain(relay);
            // The other queue is not told of these batches.
            for (int i = 0; i < 3; i++) {
                write("a", "order-" + i);
                drain(relay);
            }
            all += 8;
            assertThat(admin.replay(lastHour.topic("b"), 1_000)).isEqualTo(all);
            drain(relay);
            assertThat(other.taken()).hasSize(before + 8 + all);
            assertThat(admin.replay(lastHour.topic("b"), 1_000)).isEqualTo(all);
            drain(Relay.builder(new JdbiOutboxStore(jdbi), routes)
                    .shards(shards)
                    .build());
            assertThat(other.taken()).hasSize(before + 8 + all + all);
        }
    }

    @Test
    void a_replay_goes_on_behind_rows_of_which_none_was_wanted() {
        jdbi.useHandle(handle -> handle.execute("INSERT INTO outbox_events"
                + " (id, topic, aggregate_id, payload, published_at, batch)"
                + " SELECT gen_random_uuid(), CASE WHEN n IN (1, 24000) THEN 'a' ELSE 'b' END, 'order', '{}', now(), n / 100"
                + " FROM generate_series(1, 25000) AS n"));
        assertThat(admin.replay(lastHour.topic("a"), 1_000)).isEqualTo(2);
        assertThat(admin.replay(lastHour.topic("b"), 100_000)).isEqualTo(24_998);
        assertThat(admin.replay(lastHour.topic("b"), 1_000)).isZero();
    }

    @Test
    void a_replay_keeps_to_its_rate() {
        Relay relay = relay(1);
        for (int i = 0; i < 30; i++) {
            write("a", "order-" + i);
        }
        drain(relay);
        write("a", "last");
        drain(relay);
        long began = System.nanoTime();
        assertThat(admin.replay(lastHour, 20)).isEqualTo(31);
        assertThat(System.nanoTime() - began).isGreaterThan(900_000_000L);
        assertThatThrownBy(() -> admin.replay(lastHour, 0)).hasMessageContaining("perSecond is 0");
    }

    @Test
    void after_resharding_relays_of_the_new_number_go_on_and_hand_over_nothing_again() {
        Relay relay = relay(1);
        for (int i = 0; i < 20; i++) {
            write("a", "order-" + i);
        }
        drain(relay);
        admin.reshard(3);
        assertThatThrownBy(relay(1)::runOnce).hasMessageContaining("split into 3");
        write("a", "order-1");
        Relay next = relay(3);
        drain(next);
        assertThat(queue.taken()).hasSize(21);
        assertThat(next.status().healed()).isZero();
    }

    @Test
    void what_is_there_of_a_topic_is_listed_in_pages_handed_over_or_not() {
        Relay relay = relay(1);
        for (int i = 0; i < 5; i++) {
            write("a", "order-" + i);
            write("b", "order-" + i);
        }
        drain(relay);
        write("a", "order-5");
        List<StoredEvent> first = admin.list("a", null, 4);
        List<StoredEvent> second = admin.list("a", first.get(3).id(), 4);
        assertThat(first).hasSize(4);
        assertThat(second).hasSize(2);
        List<StoredEvent> all = new ArrayList<>(first);
        all.addAll(second);
        assertThat(all)
                .extracting(StoredEvent::aggregateId)
                .containsExactlyInAnyOrder("order-0", "order-1", "order-2", "order-3", "order-4", "order-5");
        assertThat(all).allMatch(event -> event.topic().equals("a"));
        assertThat(all).filteredOn(event -> event.batch() == 0).hasSize(1);
        assertThat(admin.list("a", second.get(1).id(), 4)).isEmpty();
        assertThatThrownBy(() -> admin.list("a", null, 1_001)).hasMessageContaining("between 1 and 1000");
        assertThatThrownBy(() -> admin.list("a", null, 0)).hasMessageContaining("limit is 0");
    }

    @Test
    void what_was_refused_is_listed_with_its_attempts() {
        Relay relay = relay(1);
        write("a", "order-1");
        queue.bad = event -> true;
        drain(relay);
        assertThat(admin.list("a", null, 10)).extracting(StoredEvent::attempts).containsExactly(1);
    }

    private Relay relay(int shards) {
        Routes routes =
                Routes.builder().route("a", queue, "x").route("b", queue, "x").build();
        return Relay.builder(new JdbiOutboxStore(jdbi), routes).shards(shards).build();
    }

    private void write(String topic, String aggregate) {
        jdbi.useTransaction(tx -> new JdbiOutboxWriter().write(tx, Event.of(topic, aggregate, "{}")));
    }

    private static void drain(Relay relay) {
        PassResult result = relay.runOnce();
        while (result.more() || result.published() > 0) {
            result = relay.runOnce();
        }
    }

    private Instant now() {
        return jdbi.withHandle(handle ->
                handle.createQuery("SELECT now()").mapTo(Instant.class).one());
    }
}
