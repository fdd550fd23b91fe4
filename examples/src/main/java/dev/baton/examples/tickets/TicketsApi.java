package dev.baton.examples.tickets;

import dev.baton.examples.service.Database;
import dev.baton.examples.service.ServiceMain;
import dev.baton.examples.web.Answer;
import dev.baton.examples.web.HttpError;
import dev.baton.examples.web.JsonServer;
import dev.baton.examples.web.Request;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The ticket office's API: {@code POST /orders}, {@code GET /orders/{id}}, {@code POST /orders/{id}/seats}, {@code POST
 * /orders/{id}/pay}, {@code POST /orders/{id}/cancel}, {@code DELETE /orders/{id}}, and for the administrator {@code POST
 * /seats} and {@code GET /dead-letters}. It writes to the database and never to a queue: it works while Redis is away.
 */
public final class TicketsApi implements AutoCloseable {
    private static final int MOST_SEATS = 10;
    private static final int MOST_NEW_SEATS = 1_000;
    private static final int MOST_LETTERS = 100;

    private final Database database;
    private final TicketOffice office;
    private final JsonServer server;

    private TicketsApi(TicketsConfig config, int port) throws IOException {
        this.database = Database.open(config.databaseUrl(), TicketsApi.class);
        // No hook that wakes the relay: an event that is due in ten minutes can wait for its next poll.
        this.office = new TicketOffice(database.jdbi(), new JdbiOutboxWriter(), config.hold());
        this.server = JsonServer.start(port, this::handle);
    }

    /**
     * Starts the API.
     *
     * @param port 0 for any free one
     * @throws IOException if the port is taken
     */
    public static TicketsApi start(TicketsConfig config, int port) throws IOException {
        return new TicketsApi(config, port);
    }

    /** Runs it as a process of its own; see {@link TicketsConfig#from}, and {@code PORT}, 8080 by default. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ServiceMain.run(environment -> {
            int port = (int) environment.number("PORT", 8080);
            TicketsApi api = start(TicketsConfig.from(environment), port);
            System.out.println("The ticket office's API answers at " + api.uri());
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

    private Answer handle(Request request) {
        try {
            return switch (request.action()) {
                case "POST /orders" -> book(request.body(Cart.class));
                case "GET /orders/{id}" -> find(orderId(request));
                case "POST /orders/{id}/seats" -> replace(orderId(request), request.body(Cart.class));
                case "POST /orders/{id}/pay" -> closed(office.pay(orderId(request)));
                case "POST /orders/{id}/cancel" -> closed(office.cancel(orderId(request)));
                case "DELETE /orders/{id}" -> closed(office.delete(orderId(request)));
                case "POST /seats" -> open(request.body(Cart.class));
                case "GET /dead-letters" -> deadLetters();
                default -> Answer.error(404, "there is nothing here; try POST /orders");
            };
        } catch (SeatsTakenException e) {
            return Answer.error(409, "one of these seats is not free");
        }
    }

    private Answer book(Cart cart) {
        String customerId = cart.customerId();
        if (customerId == null || !customerId.matches("[\\w.:-]{1,100}")) {
            throw new HttpError(400, "customerId must be 1 to 100 letters, digits, or one of _ . : -");
        }
        return Answer.of(201, office.book(customerId, seats(cart, MOST_SEATS)));
    }

    private Answer replace(long orderId, Cart cart) {
        return office.replace(orderId, seats(cart, MOST_SEATS))
                .map((Receipt receipt) -> Answer.of(200, receipt))
                .orElseGet(() -> closed(false));
    }

    private Answer find(long orderId) {
        return office.find(orderId)
                .map((Order order) -> Answer.of(200, order))
                .orElseGet(() -> Answer.error(404, "there is no such order"));
    }

    private Answer open(Cart cart) {
        office.open(seats(cart, MOST_NEW_SEATS));
        return Answer.of(201, Map.of());
    }

    private Answer deadLetters() {
        return Answer.of(
                200,
                new JdbiDeadLetterStore(database.jdbi())
                        .open(MOST_LETTERS).stream()
                                .map(letter -> Map.of("job", letter.toString(), "error", letter.error()))
                                .toList());
    }

    private static Answer closed(boolean done) {
        return done ? Answer.of(200, Map.of()) : Answer.error(409, "the order is not pending any more");
    }

    private static Set<String> seats(Cart cart, int most) {
        List<String> seats = cart.seats();
        if (seats == null || seats.isEmpty() || seats.size() > most) {
            throw new HttpError(400, "seats must be a list of 1 to " + most + " seats");
        }
        return new TreeSet<>(seats);
    }

    private static long orderId(Request request) {
        if (!request.id().matches("\\d{1,18}")) {
            throw new HttpError(400, "the order's id is not a number");
        }
        return Long.parseLong(request.id());
    }

    private record Cart(
            @Nullable String customerId, @Nullable List<String> seats) {}
}
