package dev.baton.examples.shop.demo;

import dev.baton.examples.demo.Crowd;
import dev.baton.examples.shop.ShopApi;
import dev.baton.examples.web.JsonClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Customers who place orders over HTTP, fifty a second and at most eight at a time, each order under a correlation id of
 * its own. At that pace the queues are short, and the latency that is measured is not that of a backlog.
 */
public final class Customers implements AutoCloseable {
    private static final int AT_A_TIME = 8;
    private static final long EVERY_MS = 20;
    private static final int NUMBER = 25;
    private static final int LARGEST_AMOUNT = 5_000_000;

    private final Crowd crowd = new Crowd(AT_A_TIME);
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
            customers.crowd.comes(Duration.ofMillis(i * EVERY_MS), () -> customers.place(correlationId, order));
        }
        return customers;
    }

    /** The orders that the API has confirmed so far. */
    public List<PlacedOrder> placed() {
        return List.copyOf(placed);
    }

    @Override
    public void close() {
        crowd.close();
    }

    private void place(String correlationId, NewOrder order) throws IOException, InterruptedException {
        Map<String, String> headers = Map.of(ShopApi.CORRELATION_HEADER, correlationId);
        Created created = api.post("/orders", headers, order, Created.class, "shop: place order");
        placed.add(new PlacedOrder(created.id(), order.customerId(), order.amount()));
    }

    private record NewOrder(String customerId, long amount) {}

    private record Created(String id) {}
}
