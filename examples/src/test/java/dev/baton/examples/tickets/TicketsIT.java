package dev.baton.examples.tickets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.examples.demo.DemoServers;
import dev.baton.examples.service.Database;
import dev.baton.examples.web.JsonClient;
import dev.baton.failure.RetryPolicy;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.servers.Redis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole way: API, outbox, relay, queue, worker. */
@Timeout(60)
class TicketsIT {
    private static final double RETRY_FACTOR = 0.02;

    private final TicketsConfig config = new TicketsConfig(
            DemoServers.freshDatabaseUrl(),
            Redis.get().uri(),
            Redis.freshPrefix(),
            Duration.ofSeconds(1),
            RETRY_FACTOR,
            Duration.ofSeconds(5));
    private final Database database = Database.open(config.databaseUrl(), TicketsWorker.class);
    private final TicketOffice office = new TicketOffice(database.jdbi(), new JdbiOutboxWriter(), config.hold());

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void seats_that_nobody_pays_for_are_free_after_the_hold_and_not_before() throws Exception {
        try (TicketsApi api = TicketsApi.start(config, 0);
                TicketsWorker worker = TicketsWorker.start(config)) {
            JsonClient client = new JsonClient(api.uri(), Duration.ofSeconds(10));
            client.post("/seats", Map.of(), Map.of("seats", List.of("a")), Map.class, "open");
            Map<String, Object> cart = Map.of("customerId", "ann", "seats", List.of("a"));
            long order = client.post("/orders", Map.of(), cart, Receipt.class, "book")
                    .id();

            await().until(() -> office.find(order).orElseThrow().status() == Order.Status.CANCELLED);

            assertThat(worker).isNotNull();
            assertThat(releasedAfter(order)).isNotNegative();
            assertThat(client.post("/orders", Map.of(), cart, Receipt.class, "book again")
                            .id())
                    .isNotEqualTo(order);
        }
    }

    @Test
    void the_event_names_the_order_and_nothing_else() {
        office.open(Set.of("a"));
        long order = office.book("ann", Set.of("a")).id();

        String payload = database.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT payload::text FROM outbox_events")
                        .mapTo(String.class)
                        .one());
        assertThat(payload).isEqualTo("{\"orderId\": " + order + "}");
    }

    @Test
    void an_order_that_cannot_be_released_is_tried_four_times_and_is_a_dead_letter_then() throws Exception {
        office.open(Set.of("a"));
        long order = office.book("ann", Set.of("a")).id();
        database.jdbi().useHandle(handle -> {
            handle.execute("CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS"
                    + " $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = '53100'; END $$");
            handle.execute("CREATE TRIGGER broken BEFORE UPDATE ON seats FOR EACH ROW EXECUTE FUNCTION broken()");
        });

        try (TicketsApi api = TicketsApi.start(config, 0);
                TicketsWorker worker = TicketsWorker.start(config)) {
            JdbiDeadLetterStore letters = new JdbiDeadLetterStore(database.jdbi());
            await().until(() -> !letters.open(1).isEmpty());

            DeadLetter letter = letters.open(1).get(0);
            assertThat(letter.attempts()).isEqualTo(4);
            assertThat(Duration.between(letter.firstFailureAt(), letter.diedAt()))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(30).dividedBy(50));
            JsonClient client = new JsonClient(api.uri(), Duration.ofSeconds(10));
            assertThat(client.get("/dead-letters", List.class, "look").toString())
                    .contains("release-order", "the disk is full");
            assertThat(worker).isNotNull();
            assertThat(office.find(order).orElseThrow().status()).isEqualTo(Order.Status.PENDING);
        }
    }

    @Test
    void attempts_are_ten_seconds_apart_where_nothing_is_scaled() {
        RetryPolicy policy = TicketsQueue.retry(1);

        assertThat(policy.attempts()).isEqualTo(4);
        assertThat(policy.horizon().worst()).isEqualTo(Duration.ofSeconds(30));
    }

    private double releasedAfter(long order) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery(
                                "SELECT extract(epoch FROM closed_at - expires_at) FROM orders WHERE id = ?")
                        .bind(0, order)
                        .mapTo(Double.class)
                        .one());
    }
}
