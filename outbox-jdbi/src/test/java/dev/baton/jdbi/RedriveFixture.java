package dev.baton.jdbi;

import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.deadletter.RedriveProgress.State;
import dev.baton.failure.DeathReason;
import dev.baton.internal.Json;
import dev.baton.outbox.Event;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Letters of a database of its own, and a redriver that a test drives by hand. */
@Timeout(60)
abstract class RedriveFixture {
    static final Instant DIED = Instant.parse("2026-02-01T10:00:00Z");
    static final Set<String> TOPICS = Set.of(RedriveOrder.topic("payments", "capture"));

    final Jdbi jdbi = Database.fresh();
    final JdbiDeadLetterStore store = new JdbiDeadLetterStore(jdbi);
    final JdbiRedriver redriver = new JdbiRedriver(jdbi, new JdbiOutboxWriter(), TOPICS);

    @AfterEach
    void close() {
        redriver.close();
    }

    static RedriveOrder order() {
        return RedriveOrder.of(LetterFilter.OPEN, "ann", "the cause is mended");
    }

    void passUntilDone(UUID run) {
        await().until(() -> {
            redriver.pass();
            return redriver.progress(run).orElseThrow().state() == State.DONE;
        });
    }

    void bury(int count) {
        store.bury(IntStream.range(0, count)
                .mapToObj(i -> letter("job-" + i, DIED.plusMillis(i), "it failed"))
                .toList());
    }

    static DeadLetter letter(String id, Instant died, String error) {
        return new DeadLetter(
                "payments",
                id,
                "capture",
                "{\"amount\":7,\"order\":\"o\",\"old\":1}",
                Map.of("correlationId", "r"),
                DeathReason.ATTEMPTS,
                "x.Y",
                error,
                null,
                8,
                8,
                DIED,
                died);
    }

    static DeadLetter letter(String id, String payload, Instant died, String jobName) {
        return new DeadLetter(
                "payments",
                id,
                jobName,
                payload,
                Map.of(),
                DeathReason.ATTEMPTS,
                "x.Y",
                "it failed",
                null,
                8,
                8,
                DIED,
                died);
    }

    static DeadLetter diesAgain(Event event) {
        return new DeadLetter(
                "payments",
                event.id().toString(),
                "capture",
                event.payload(),
                event.headers(),
                DeathReason.PERMANENT,
                "x.Z",
                "again",
                null,
                1,
                1,
                DIED.plusSeconds(60),
                DIED.plusSeconds(60));
    }

    List<Event> events() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT * FROM outbox_events ORDER BY seq")
                .map((row, context) -> new Event(
                        row.getObject("id", UUID.class),
                        row.getString("topic"),
                        row.getString("aggregate_id"),
                        row.getString("payload"),
                        Json.readStrings(row.getString("headers"))))
                .list());
    }
}
