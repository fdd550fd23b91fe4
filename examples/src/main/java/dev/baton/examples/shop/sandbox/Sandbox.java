package dev.baton.examples.shop.sandbox;

import dev.baton.examples.sandbox.Fault;
import dev.baton.examples.sandbox.Faults;
import dev.baton.examples.sandbox.FaultyCalls;
import dev.baton.examples.service.ServiceMain;
import dev.baton.examples.web.Answer;
import dev.baton.examples.web.HttpError;
import dev.baton.examples.web.JsonServer;
import dev.baton.examples.web.Request;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The three foreign services behind one address. The gateway and the mail service recognise a repeat by its
 * {@code Idempotency-Key}; the carrier does not, and books every time it is asked. Thread-safe.
 */
public final class Sandbox implements AutoCloseable {
    private static final String AUTHORIZE = "POST /authorizations";

    private final Object lock = new Object();
    private final FaultyCalls calls;
    private final GatewaySandbox gateway = new GatewaySandbox();
    private final Map<String, List<String>> shipments = new HashMap<>();
    private final Map<String, Integer> mails = new HashMap<>();
    private final IdempotencyKeys mailKeys = new IdempotencyKeys();
    private final JsonServer server;

    private Sandbox(int port, Faults faults) throws IOException {
        this.calls = new FaultyCalls(faults);
        this.server = JsonServer.start(port, this::handle);
    }

    /** A sandbox on a free port of loopback. */
    public static Sandbox start(Faults faults) throws IOException {
        return new Sandbox(0, faults);
    }

    /** Runs it as a process of its own, without faults; {@code PORT}, 8090 by default. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ServiceMain.run(environment -> {
            Sandbox sandbox = new Sandbox((int) environment.number("PORT", 8090), Faults.none());
            System.out.println("The foreign services answer at " + sandbox.uri());
            return sandbox;
        });
    }

    /** The address of all three. */
    public URI uri() {
        return server.uri();
    }

    /** What has happened so far. */
    public Effects effects() {
        synchronized (lock) {
            Map<String, Integer> booked = new HashMap<>();
            shipments.forEach((reference, numbers) -> booked.put(reference, numbers.size()));
            return new Effects(
                    Map.copyOf(gateway.captures), Map.copyOf(gateway.money), Map.copyOf(booked), Map.copyOf(mails));
        }
    }

    /** How many calls went wrong so far, by the way in which they did. */
    public Map<Fault, Integer> faults() {
        return calls.injected();
    }

    @Override
    public void close() {
        calls.close();
        server.close();
    }

    /** Placing an order is spared: its caller is a customer, and the faults are to hit what comes after the commit. */
    private Answer handle(Request request) throws InterruptedException {
        return request.action().equals(AUTHORIZE)
                ? act(request)
                : calls.answer(request.action(), orderOf(request), () -> act(request));
    }

    private String orderOf(Request request) {
        synchronized (lock) {
            return request.id().isEmpty() ? reference(request) : gateway.orderOf(request.id());
        }
    }

    private Answer act(Request request) {
        synchronized (lock) {
            return switch (request.action()) {
                case AUTHORIZE -> Answer.of(201, gateway.authorize(request));
                case "GET /authorizations/{id}" -> Answer.of(200, gateway.find(request.id()));
                case "POST /authorizations/{id}/capture" -> Answer.of(201, gateway.capture(request));
                case "POST /authorizations/{id}/void" -> Answer.of(200, gateway.voidAuthorization(request));
                case "GET /shipments" -> Answer.of(200, Map.of("shipments", findShipments(request)));
                case "POST /shipments" -> Answer.of(201, book(request));
                case "POST /messages" -> Answer.of(201, mailKeys.once(request, () -> send(request)));
                default -> Answer.error(404, "there is nothing here");
            };
        }
    }

    private List<Map<String, String>> findShipments(Request request) {
        return shipments.getOrDefault(reference(request), List.of()).stream()
                .map(number -> Map.of("trackingNumber", number))
                .toList();
    }

    private Map<String, String> book(Request request) {
        List<String> booked = shipments.computeIfAbsent(reference(request), reference -> new ArrayList<>());
        booked.add("parcel-" + shipments.size() + "-" + booked.size());
        return Map.of("trackingNumber", booked.get(booked.size() - 1));
    }

    private Object send(Request request) {
        mails.merge(reference(request), 1, Integer::sum);
        return Map.of("id", "mail-" + mails.size());
    }

    private static String reference(Request request) {
        return request.query("reference")
                .or(() -> Optional.ofNullable(request.body(Reference.class).reference()))
                .orElseThrow(() -> new HttpError(400, "reference is missing"));
    }

    private record Reference(@Nullable String reference) {}
}
