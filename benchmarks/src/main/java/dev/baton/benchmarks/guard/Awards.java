package dev.baton.benchmarks.guard;

import dev.baton.benchmarks.Figure;
import dev.baton.idempotency.Guard;
import dev.baton.outbox.Event;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Points for customers: an upsert per message, as the loyalty service of the shop does it; all customers have
 * some. Messages have ids of events, which are time-ordered. One thread.
 */
final class Awards {
    private static final int CUSTOMERS = 10_000;
    private static final String ADD = """
            INSERT INTO points (customer_id, points) VALUES (?, 7)
            ON CONFLICT (customer_id) DO UPDATE SET points = points.points + excluded.points""";

    private final Jdbi jdbi;
    private final Guard guard = Guard.forConsumer("loyalty.award-points");

    Awards(Jdbi jdbi) {
        this.jdbi = jdbi;
        jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE points (customer_id text PRIMARY KEY, points bigint)");
            handle.execute(
                    "INSERT INTO points SELECT 'customer-' || n, 0 FROM generate_series(0, ?) AS n", CUSTOMERS - 1);
            handle.execute("VACUUM ANALYZE points");
        });
    }

    Map<Figure, Double> guarded() {
        String message = messages(1).get(0);
        return perMessage(1, () -> jdbi.useTransaction(tx -> guard.once(tx, message, () -> add(tx, message))));
    }

    Map<Figure, Double> bare() {
        String message = messages(1).get(0);
        return perMessage(1, () -> jdbi.useTransaction(tx -> add(tx, message)));
    }

    Map<Figure, Double> guardedBatch(int size) {
        List<String> batch = messages(size);
        return perMessage(
                size,
                () -> jdbi.useTransaction(
                        tx -> guard.onceAll(tx, batch, message -> message, fresh -> addAll(tx, fresh))));
    }

    Map<Figure, Double> bareBatch(int size) {
        List<String> batch = messages(size);
        return perMessage(size, () -> jdbi.useTransaction(tx -> addAll(tx, batch)));
    }

    private static List<String> messages(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Event.of("order.placed", "order", "{}").id().toString())
                .toList();
    }

    private static void add(Handle tx, String message) {
        tx.execute(ADD, customer(message));
    }

    /** An effect per message, whatever their number: what differs per message cannot be one statement. */
    private static void addAll(Handle tx, List<String> messages) {
        messages.forEach(message -> add(tx, message));
    }

    private static String customer(String message) {
        return "customer-" + Math.floorMod(message.hashCode(), CUSTOMERS);
    }

    private static Map<Figure, Double> perMessage(int messages, Runnable transaction) {
        long began = System.nanoTime();
        transaction.run();
        return Map.of(Figure.US, (System.nanoTime() - began) / 1e3 / messages);
    }
}
