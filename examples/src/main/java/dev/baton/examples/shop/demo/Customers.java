package dev.baton.examples.shop.demo;

import dev.baton.examples.shop.ShopApi;
import dev.baton.examples.shop.web.JsonClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Customers who place orders over HTTP, fifty a second and at most eight at a time, each order under a correlation id of
 * its own. At that pace the queues are short, and the latency that is measured is not that of a backlog.
 */
public final class Customers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Customers.class);
    private static final int AT_A_TIME = 8;
    private static final int EVERY_MS = 20;
    private static final int NUMBER = 25;
    private static final int LARGEST_AMOUNT = 5_000_000;

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(AT_A_TIME);
    private final Queue<PlacedOrder> placed = new ConcurrentLinkedQueue<>();
    private final JsonClient api;

    private Customers(URI api) {
        this.api = new JsonClient(api, Duration.ofSeconds(10));
    }

    /** Begins to place so many orders and returns at once. */
    public static Customers start(URI api, int orders, long seed) {
        Customers customers = new Customers(api);
        Random random = new Random(seed);
        for (int i = 1; i <= orders; i++) {
            String correlationId = "demo-" + i;
            NewOrder order = new NewOrder("customer-" + random.nextInt(NUMBER), 1 + random.nextInt(LARGEST_AMOUNT));
            customers.schedule(() -> customers.place(correlationId, order), i * EVERY_MS);
        }
        return customers;
    }

    /** The orders that the API has confirmed so far. */
    public List<PlacedOrder> placed() {
        return List.copyOf(placed);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void schedule(Runnable order, int afterMs) {
        // What it does is in the account; a future that nobody reads would only hide its failure.
        threads.schedule(order, afterMs, TimeUnit.MILLISECONDS);
    }

    private void place(String correlationId, NewOrder order) {
        Map<String, String> headers = Map.of(ShopApi.CORRELATION_HEADER, correlationId);
        try {
            Created created = api.post("/orders", headers, order, Created.class, "shop: place order");
            placed.add(new PlacedOrder(created.id(), order.customerId(), order.amount()));
        } catch (IOException | RuntimeException e) {
            log.error("order {} was not placed; the account will miss it", correlationId, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private record NewOrder(String customerId, long amount) {}

    private record Created(String id) {}
}
