package dev.baton.examples.shop.notifications;

import dev.baton.examples.web.JsonClient;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;

/** The mail service over HTTP. */
public final class HttpMailer implements Mailer {
    private final JsonClient http;

    /** @param http for the mail service's address */
    public HttpMailer(JsonClient http) {
        this.http = http;
    }

    @Override
    public void sendConfirmation(UUID orderId, String customerId, String idempotencyKey)
            throws IOException, InterruptedException {
        Message body = new Message(orderId.toString(), customerId, "order-confirmation");
        http.post("/messages", Map.of("Idempotency-Key", idempotencyKey), body, Sent.class, "mail: send");
    }

    private record Message(String reference, String to, String template) {}

    private record Sent(String id) {}
}
