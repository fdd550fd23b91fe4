package dev.baton.examples.shop;

import dev.baton.examples.service.Database;
import dev.baton.examples.service.ServiceMain;
import dev.baton.examples.shop.orders.Order;
import dev.baton.examples.shop.orders.OrderRepository;
import dev.baton.examples.shop.orders.OrdersService;
import dev.baton.examples.shop.payments.HttpPaymentGateway;
import dev.baton.examples.shop.payments.PaymentRepository;
import dev.baton.examples.web.Answer;
import dev.baton.examples.web.HttpError;
import dev.baton.examples.web.JsonClient;
import dev.baton.examples.web.JsonServer;
import dev.baton.examples.web.Request;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.trace.Trace;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The shop's API: {@code POST /orders}, {@code GET /orders/{id}}, {@code POST /orders/{id}/cancel}. It writes to the
 * database and never to a queue.
 *
 * <p>A request has a correlation id, its own or a new one. It is in the log lines of the request and, by way of the
 * event's headers, in those of every job that the request causes.
 */
public final class ShopApi implements AutoCloseable {
    /** The header that brings a correlation id, and that names it in the answer. */
    public static final String CORRELATION_HEADER = "X-Correlation-Id";

    private static final long LARGEST_AMOUNT = 1_000_000_000_000L;

    private final Database database;
    private final OrdersService orders;
    private final JsonServer server;

    private ShopApi(ShopConfig config, int port, Runnable afterCommit) throws IOException {
        this.database = Database.open(config.databaseUrl(), ShopApi.class);
        JdbiOutboxWriter outbox = new JdbiOutboxWriter(afterCommit);
        this.orders = new OrdersService(
                database.jdbi(),
                new OrderRepository(outbox),
                new PaymentRepository(outbox),
                new HttpPaymentGateway(new JsonClient(config.foreignServices(), ShopConfig.CALL_TIMEOUT)));
        this.server = JsonServer.start(port, this::handle);
    }

    /**
     * Starts the API.
     *
     * @param port 0 for any free one
     * @param afterCommit runs when an event has been committed, such as a nudge to a relay in the same JVM
     * @throws IOException if the port is taken
     */
    public static ShopApi start(ShopConfig config, int port, Runnable afterCommit) throws IOException {
        return new ShopApi(config, port, afterCommit);
    }

    /** Runs the API as a process of its own; see {@link ShopConfig#from}, and {@code PORT}, 8080 by default. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ServiceMain.run(environment -> {
            int port = (int) environment.number("PORT", 8080);
            ShopApi api = start(ShopConfig.from(environment), port, () -> {});
            System.out.println("The shop's API answers at " + api.uri());
            return api;
        });
    }

    /** Where it answers. */
    public URI uri() {
        return server.uri();
    }

    /** Lets requests in progress finish first. */
    @Override
    public void close() {
        server.close();
        database.close();
    }

    private Answer handle(Request request) throws Exception {
        String correlationId = request.header(CORRELATION_HEADER)
                .orElseGet(() -> UUID.randomUUID().toString());
        // It goes into log files and headers: no line breaks, no novels.
        if (!correlationId.matches("[\\w.:-]{1,100}")) {
            throw new HttpError(400, CORRELATION_HEADER + " must be 1 to 100 letters, digits, or one of _ . : -");
        }
        MDC.put(Trace.CORRELATION_ID, correlationId);
        try {
            return route(request).with(CORRELATION_HEADER, correlationId);
        } finally {
            MDC.remove(Trace.CORRELATION_ID);
        }
    }

    private Answer route(Request request) throws Exception {
        return switch (request.action()) {
            case "POST /orders" -> place(request.body(NewOrder.class));
            case "GET /orders/{id}" -> find(orderId(request));
            case "POST /orders/{id}/cancel" -> cancel(orderId(request));
            default -> Answer.error(404, "there is nothing here; try POST /orders");
        };
    }

    private Answer place(NewOrder wish) throws InterruptedException {
        String customerId = wish.customerId();
        Long amount = wish.amount();
        if (customerId == null || !customerId.matches("[\\w.:-]{1,100}")) {
            throw new HttpError(400, "customerId must be 1 to 100 letters, digits, or one of _ . : -");
        }
        if (amount == null || amount < 1 || amount > LARGEST_AMOUNT) {
            throw new HttpError(400, "amount must be a whole number from 1 to " + LARGEST_AMOUNT);
        }
        try {
            Order order = orders.place(customerId, amount);
            return Answer.of(201, Map.of("id", order.id()));
        } catch (IOException e) {
            throw new HttpError(503, "the payment gateway does not answer; nothing was ordered");
        }
    }

    private Answer find(UUID id) {
        return orders.find(id)
                .map(order -> Answer.of(200, order))
                .orElseGet(() -> Answer.error(404, "there is no such order"));
    }

    private Answer cancel(UUID id) {
        return switch (orders.cancel(id)) {
            case CANCELLED -> Answer.of(200, Map.of("status", "cancelled"));
            case TOO_LATE -> Answer.error(409, "the payment is captured already; ask for a refund");
            case UNKNOWN_ORDER -> Answer.error(404, "there is no such order");
        };
    }

    private static UUID orderId(Request request) {
        return Request.uuid(request.id(), "the order's id");
    }

    private record NewOrder(
            @Nullable String customerId, @Nullable Long amount) {}
}
