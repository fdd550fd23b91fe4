package dev.baton.examples.shop.sandbox;

import dev.baton.examples.shop.web.Answer;
import dev.baton.examples.shop.web.HttpError;
import dev.baton.examples.shop.web.JsonServer;
import dev.baton.examples.shop.web.Request;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The three foreign services behind one address. The gateway and the mail service recognise a repeat by its
 * {@code Idempotency-Key}; the carrier does not, and books every time it is asked. Thread-safe.
 */
public final class Sandbox implements AutoCloseable {
    /** Longer than the shop's clients wait. */
    private static final long HANG_MS = 1_500;

    private static final String AUTHORIZE = "POST /authorizations";

    private final Object lock = new Object();
    private final Faults faults;
    private final GatewaySandbox gateway = new GatewaySandbox();
    private final Map<String, List<String>> shipments = new HashMap<>();
    private final Map<String, Integer> mails = new HashMap<>();
    private final IdempotencyKeys mailKeys = new IdempotencyKeys();
    private final Map<Fault, Integer> injected = new EnumMap<>(Fault.class);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final JsonServer server;

    private Sandbox(Faults faults) throws IOException {
        this.faults = faults;
        this.server = JsonServer.start(0, this::handle);
    }

    /** A sandbox on a free port of loopback. */
    public static Sandbox start(Faults faults) throws IOException {
        return new Sandbox(faults);
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
        synchronized (lock) {
            return new EnumMap<>(injected);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.close();
    }

    private Answer handle(Request request) throws InterruptedException {
        Optional<Fault> fault = faultFor(request);
        if (fault.isEmpty()) {
            return act(request);
        }
        return switch (fault.get()) {
            case TOO_MANY_REQUESTS -> Answer.error(429, "too many requests").with("Retry-After", "1");
            case UNAVAILABLE -> Answer.error(503, "unavailable");
            case UNAVAILABLE_FOR_A_WHILE -> Answer.error(503, "unavailable").with("Retry-After", "1");
            case HANG -> {
                closing.await(HANG_MS, TimeUnit.MILLISECONDS);
                yield Answer.NOTHING;
            }
            case ANSWER_LOST -> {
                act(request);
                yield Answer.NOTHING;
            }
        };
    }

    /** Placing an order is spared: its caller is a customer, and the faults are to hit what comes after the commit. */
    private Optional<Fault> faultFor(Request request) {
        synchronized (lock) {
            if (request.action().equals(AUTHORIZE)) {
                return Optional.empty();
            }
            Optional<Fault> fault = faults.next(request.action(), orderOf(request));
            fault.ifPresent(kind -> injected.merge(kind, 1, Integer::sum));
            return fault;
        }
    }

    private String orderOf(Request request) {
        return request.id().isEmpty() ? reference(request) : gateway.orderOf(request.id());
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
