package dev.baton.examples.invoices.sandbox;

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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The providers behind one address. They take no idempotency key and issue every time they are asked, and they notice when
 * two calls for one order are in progress at a time. Thread-safe.
 */
public final class ProviderSandbox implements AutoCloseable {
    /** A tax code that every provider refuses. */
    public static final String REFUSED = "0000000000";
    /** A tax code for which the tax office never answers. */
    public static final String UNLUCKY = "9999999999";

    /** Long enough for a second call to come in between. */
    private static final long WORK_MS = 20;

    private final Object lock = new Object();
    private final InProgress inProgress = new InProgress();
    private final FaultyCalls calls;
    private final Map<String, Integer> issued = new HashMap<>();
    private final Map<String, String> numbers = new HashMap<>();
    private final Map<String, String> taxCodes = new HashMap<>();
    private final Set<String> cancelled = new HashSet<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final JsonServer server;

    private ProviderSandbox(int port, Faults faults) throws IOException {
        this.calls = new FaultyCalls(faults);
        this.server = JsonServer.start(port, this::handle);
    }

    /** A sandbox on a free port of loopback. */
    public static ProviderSandbox start(Faults faults) throws IOException {
        return new ProviderSandbox(0, faults);
    }

    /** Runs it as a process of its own, without faults; {@code PORT}, 8090 by default. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ServiceMain.run(environment -> {
            ProviderSandbox sandbox = new ProviderSandbox((int) environment.number("PORT", 8090), Faults.none());
            System.out.println("The providers answer at " + sandbox.uri());
            return sandbox;
        });
    }

    /** The address of all providers. */
    public URI uri() {
        return server.uri();
    }

    /** What has happened so far. */
    public Ledger ledger() {
        synchronized (lock) {
            return new Ledger(
                    Map.copyOf(issued),
                    Map.copyOf(numbers),
                    Map.copyOf(taxCodes),
                    Set.copyOf(cancelled),
                    inProgress.overlaps());
        }
    }

    /** How many calls went wrong so far, by the way in which they did. */
    public Map<Fault, Integer> faults() {
        return calls.injected();
    }

    @Override
    public void close() {
        closing.countDown();
        calls.close();
        server.close();
    }

    private Answer handle(Request request) throws InterruptedException {
        return calls.answer(request.action(), reference(request), () -> work(request, reference(request)));
    }

    /** A call that only hangs is not in progress: its client gives up, and may ask again, before it ends. */
    private Answer work(Request request, String order) throws InterruptedException {
        return inProgress.during(order, () -> {
            closing.await(WORK_MS, TimeUnit.MILLISECONDS);
            return act(request, order);
        });
    }

    private Answer act(Request request, String order) {
        synchronized (lock) {
            return switch (request.action()) {
                case "GET /invoices" -> Answer.of(200, Map.of("invoices", find(order)));
                case "POST /invoices" -> issue(request.body(NewInvoice.class), order);
                case "POST /invoices/{id}/cancel" -> Answer.of(200, Map.of("new", cancelled.add(order)));
                default -> Answer.error(404, "there is nothing here");
            };
        }
    }

    private List<Map<String, String>> find(String order) {
        return Optional.ofNullable(numbers.get(order)).map(number -> Map.of("number", number)).stream()
                .toList();
    }

    private Answer issue(NewInvoice wish, String order) {
        String taxCode = wish.taxCode() == null ? "" : wish.taxCode();
        switch (taxCode) {
            case REFUSED -> throw new HttpError(422, "there is no such tax code");
            case UNLUCKY -> throw new HttpError(503, "the tax office does not answer");
            default -> {
                int count = issued.merge(order, 1, Integer::sum);
                numbers.put(order, wish.provider() + "-" + issued.size() + "-" + count);
                taxCodes.put(order, taxCode);
                return Answer.of(201, Map.of("number", String.valueOf(numbers.get(order))));
            }
        }
    }

    private static String reference(Request request) {
        return request.query("reference")
                .or(() -> Optional.of(request.id()).filter(id -> !id.isEmpty()))
                .or(() -> Optional.ofNullable(request.body(NewInvoice.class).reference()))
                .orElseThrow(() -> new HttpError(400, "reference is missing"));
    }

    private record NewInvoice(
            @Nullable String provider,
            @Nullable String reference,
            @Nullable Long amount,
            @Nullable String taxCode) {}
}
