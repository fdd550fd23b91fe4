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
 * Points for customers: an upsert per message, as the loyalty service of the shop does it. Messages
 * have ids of events, which are time-ordered. One thread.
 */
final class Awards {
    private static final int MESSAGES = 2_000;
    private static final int BATCH = 100;
    private static final int BATCHES = 60;
    private static final int CUSTOMERS = 10_000;
    private static final String ADD = """
            INSERT INTO points (customer_id, points) VALUES (?, 7)
            ON CONFLICT (customer_id) DO UPDATE SET points = points.points + excluded.points""";

    private final Jdbi jdbi;
    private final Guard guard = Guard.forConsumer("loyalty.award-points");

    Awards(Jdbi jdbi) {
        this.jdbi = jdbi;
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE points (customer_id text PRIMARY KEY, points bigint)"));
    }

    Map<Figure, Double> guarded() {
        clean();
        List<String> messages = messages(MESSAGES);
        long began = System.nanoTime();
        for (String message : messages) {
            jdbi.useTransaction(tx -> guard.once(tx, message, () -> add(tx, message)));
        }
        return perMessage(began, MESSAGES);
    }

    Map<Figure, Double> bare() {
        clean();
        List<String> messages = messages(MESSAGES);
        long began = System.nanoTime();
        for (String message : messages) {
            jdbi.useTransaction(tx -> add(tx, message));
        }
        return perMessage(began, MESSAGES);
    }

    Map<Figure, Double> guardedBatch() {
        clean();
        List<List<String>> batches = batches();
        long began = System.nanoTime();
        for (List<String> batch : batches) {
            jdbi.useTransaction(tx -> guard.onceAll(tx, batch, message -> message, fresh -> addAll(tx, fresh)));
        }
        return perMessage(began, BATCH * BATCHES);
    }

    Map<Figure, Double> bareBatch() {
        clean();
        List<List<String>> batches = batches();
        long began = System.nanoTime();
        for (List<String> batch : batches) {
            jdbi.useTransaction(tx -> addAll(tx, batch));
        }
        return perMessage(began, BATCH * BATCHES);
    }

    private void clean() {
        jdbi.useHandle(handle -> handle.execute("TRUNCATE points, processed_messages"));
    }

    private static List<List<String>> batches() {
        return IntStream.range(0, BATCHES).mapToObj(i -> messages(BATCH)).toList();
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

    private static Map<Figure, Double> perMessage(long began, int messages) {
        return Map.of(Figure.US, (System.nanoTime() - began) / 1e3 / messages);
    }
}
