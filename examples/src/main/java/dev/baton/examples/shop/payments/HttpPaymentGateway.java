package dev.baton.examples.shop.payments;

import dev.baton.examples.web.JsonClient;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;

/** The gateway over HTTP. */
public final class HttpPaymentGateway implements PaymentGateway {
    private static final String KEY = "Idempotency-Key";

    private final JsonClient http;

    /** @param http for the gateway's address */
    public HttpPaymentGateway(JsonClient http) {
        this.http = http;
    }

    @Override
    public String authorize(UUID orderId, long amount) throws IOException, InterruptedException {
        Map<String, String> key = Map.of(KEY, "authorize-" + orderId);
        Reservation body = new Reservation(orderId.toString(), amount);
        return http.post("/authorizations", key, body, Created.class, "gateway: authorize")
                .id();
    }

    @Override
    public Authorization find(String authorizationId) throws IOException, InterruptedException {
        return http.get("/authorizations/" + authorizationId, Authorization.class, "gateway: find authorization");
    }

    @Override
    public String capture(String authorizationId, long amount, String idempotencyKey)
            throws IOException, InterruptedException {
        String path = "/authorizations/" + authorizationId + "/capture";
        Map<String, String> key = Map.of(KEY, idempotencyKey);
        return http.post(path, key, Map.of("amount", amount), Created.class, "gateway: capture")
                .id();
    }

    @Override
    public void voidAuthorization(String authorizationId, String idempotencyKey)
            throws IOException, InterruptedException {
        String path = "/authorizations/" + authorizationId + "/void";
        http.post(path, Map.of(KEY, idempotencyKey), Map.of(), Authorization.class, "gateway: void");
    }

    private record Reservation(String reference, long amount) {}

    private record Created(String id) {}
}
