package dev.baton.benchmarks.guard;

import dev.baton.benchmarks.Figure;
import dev.baton.deadletter.DeadLetter;
import dev.baton.failure.DeathReason;
import dev.baton.jdbi.JdbiDeadLetterStore;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;

/** Ten thousand jobs that die: in batches of 50, as the queue brings them. */
final class Burial {
    private static final int LETTERS = 10_000;
    private static final int BATCH = 50;
    private static final Instant DIED = Instant.parse("2026-01-01T00:00:00Z");
    private static final String TRACE =
            "java.lang.IllegalStateException\n" + "\tat dev.example.Handler.handle(Handler.java:42)\n".repeat(40);

    private final Jdbi jdbi;
    private final JdbiDeadLetterStore store;

    Burial(Jdbi jdbi) {
        this.jdbi = jdbi;
        this.store = new JdbiDeadLetterStore(jdbi);
    }

    Map<Figure, Double> bury() {
        jdbi.useHandle(handle -> handle.execute("TRUNCATE dead_letters CASCADE"));
        long began = System.nanoTime();
        for (int from = 0; from < LETTERS; from += BATCH) {
            store.bury(
                    IntStream.range(from, from + BATCH).mapToObj(Burial::letter).toList());
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        return Map.of(Figure.LETTERS, LETTERS / seconds);
    }

    static Map<Figure, Double> none() {
        return Map.of();
    }

    private static DeadLetter letter(int i) {
        return new DeadLetter(
                "payments",
                "job-" + i,
                "capture-payment",
                "{\"orderId\":\"order-" + i + "\",\"total\":250000}",
                Map.of("correlationId", "request-" + i),
                DeathReason.ATTEMPTS,
                "java.lang.IllegalStateException",
                "the gateway said no to order-" + i,
                TRACE,
                8,
                9,
                DIED.minusSeconds(300),
                DIED.plusMillis(i));
    }
}
