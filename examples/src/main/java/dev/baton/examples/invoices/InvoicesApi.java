package dev.baton.examples.invoices;

import dev.baton.examples.invoices.Invoice.Mode;
import dev.baton.examples.service.Database;
import dev.baton.examples.service.ServiceMain;
import dev.baton.examples.web.Answer;
import dev.baton.examples.web.HttpError;
import dev.baton.examples.web.JsonServer;
import dev.baton.examples.web.Request;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisSignal;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The invoice service's API: {@code POST /invoices}, {@code GET /invoices/{order}}, {@code POST /invoices/{order}/claim},
 * {@code POST /invoices/{order}/cancel}. A consumer of Kafka would call {@link InvoiceDesk} just so. It never waits for a
 * provider, and writes to no queue: Redis only carries a hint to the relays, and may be away.
 */
public final class InvoicesApi implements AutoCloseable {
    private static final String TAX_CODE = "\\d{10}(-\\d{3})?";

    private final Database database;
    private final RedisQueues redis;
    private final RedisSignal signal;
    private final ProviderSettings providers;
    private final InvoiceDesk desk;
    private final JsonServer server;

    private InvoicesApi(InvoicesConfig config, int port) throws IOException {
        this.database = Database.open(config.databaseUrl(), InvoicesApi.class);
        this.redis = RedisQueues.connect(config.redis(), config.prefix());
        this.signal = redis.signal("outbox");
        this.providers = ProviderSettings.read(database.jdbi(), config.retryFactor());
        this.desk = new InvoiceDesk(database.jdbi(), new JdbiOutboxWriter(signal::send), config.claim());
        this.server = JsonServer.start(port, this::handle);
    }

    /**
     * Starts the API.
     *
     * @param port 0 for any free one
     * @throws IOException if the port is taken
     */
    public static InvoicesApi start(InvoicesConfig config, int port) throws IOException {
        return new InvoicesApi(config, port);
    }

    /** Runs it as a process of its own; see {@link InvoicesConfig#from}, and {@code PORT}, 8080 by default. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ServiceMain.run(environment -> {
            int port = (int) environment.number("PORT", 8080);
            InvoicesApi api = start(InvoicesConfig.from(environment), port);
            System.out.println("The invoice service's API answers at " + api.uri());
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
        signal.close();
        redis.close();
        database.close();
    }

    private Answer handle(Request request) {
        return switch (request.action()) {
            case "POST /invoices" -> request(request.body(NewInvoice.class));
            case "GET /invoices/{id}" -> find(orderId(request.id()));
            case "POST /invoices/{id}/claim" -> claim(orderId(request.id()), request.body(Claim.class));
            case "POST /invoices/{id}/cancel" -> cancel(orderId(request.id()));
            default -> Answer.error(404, "there is nothing here; try POST /invoices");
        };
    }

    private Answer request(NewInvoice wish) {
        if (wish.orderId() == null || wish.provider() == null || wish.mode() == null || wish.amount() == null) {
            throw new HttpError(400, "orderId, provider, mode and amount must be there");
        }
        if (wish.amount() < 1) {
            throw new HttpError(400, "amount is " + wish.amount() + "; it must be at least 1");
        }
        if (providers.retry(wish.provider()) == null) {
            throw new HttpError(400, "there is no such provider");
        }
        String taxCode = wish.taxCode() == null ? null : taxCode(wish.taxCode());
        boolean claimable = Boolean.TRUE.equals(wish.claimable());
        boolean isNew =
                desk.request(orderId(wish.orderId()), wish.provider(), wish.mode(), wish.amount(), taxCode, claimable);
        return Answer.of(isNew ? 202 : 200, Map.of("orderId", wish.orderId()));
    }

    private Answer find(UUID orderId) {
        return desk.find(orderId)
                .map((Invoice invoice) -> Answer.of(200, invoice))
                .orElseGet(() -> Answer.error(404, "there is no such invoice"));
    }

    private Answer claim(UUID orderId, Claim claim) {
        String code = taxCode(claim.taxCode() == null ? "" : claim.taxCode());
        return desk.claim(orderId, code)
                ? Answer.of(200, Map.of("taxCode", code))
                : Answer.error(409, "the invoice cannot be claimed, or not any more");
    }

    private Answer cancel(UUID orderId) {
        return desk.cancel(orderId) ? Answer.of(202, Map.of()) : Answer.error(404, "there is no such invoice");
    }

    private static String taxCode(String value) {
        if (!value.matches(TAX_CODE)) {
            throw new HttpError(400, "taxCode must have ten digits, perhaps a dash and three more");
        }
        return value;
    }

    private static UUID orderId(String value) {
        return Request.uuid(value, "the order's id");
    }

    private record NewInvoice(
            @Nullable String orderId,
            @Nullable String provider,
            @Nullable Mode mode,
            @Nullable Long amount,
            @Nullable String taxCode,
            @Nullable Boolean claimable) {}

    private record Claim(@Nullable String taxCode) {}
}
