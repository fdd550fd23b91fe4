package dev.baton.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import dev.baton.examples.shop.demo.Auditor;
import dev.baton.examples.web.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShopIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final ShopFixture shop = new ShopFixture();
    private final ShopApi api = ShopApi.start(shop.config, 0, () -> {});

    ShopIT() throws IOException {}

    @AfterEach
    void close() {
        api.close();
        shop.close();
    }

    @Test
    void an_order_travels_the_whole_way_and_its_correlation_id_with_it() throws Exception {
        try (LogCapture log = new LogCapture();
                Auditor auditor = new Auditor(shop.config, shop.sandbox);
                ShopWorker worker = ShopWorker.start(shop.config)) {
            HttpResponse<String> answer = post("/orders", "{\"customerId\":\"c-1\",\"amount\":250000}", "request-17");
            assertThat(answer.statusCode()).isEqualTo(201);
            assertThat(answer.headers().firstValue(ShopApi.CORRELATION_HEADER)).contains("request-17");
            String order = id(answer);
            worker.nudge();

            await().atMost(SOON).until(() -> auditor.look(1, 1).complete());

            assertThat(shop.sandbox.effects().captures()).containsOnly(entry(order, 1));
            assertThat(shop.sandbox.effects().shipments()).containsOnly(entry(order, 1));
            assertThat(shop.sandbox.effects().mails()).containsOnly(entry(order, 1));
            assertThat(auditor.findings().points()).containsOnly(entry("c-1", 25L));
            assertThat(get("/orders/" + order).body()).contains("captured", "parcel-");
            assertThat(log.under("request-17"))
                    .anyMatch(line -> line.contains(order + " placed"))
                    .anyMatch(line -> line.contains(order + " captured"))
                    .anyMatch(line -> line.contains(order + " confirmed"))
                    .anyMatch(line -> line.contains(order + " booked"))
                    .anyMatch(line -> line.matches("points of event .* awarded"));
        }
    }

    @Test
    void a_cancelled_order_gives_its_reservation_back() throws Exception {
        String order = id(post("/orders", "{\"customerId\":\"c-1\",\"amount\":250000}", "request-18"));
        assertThat(post("/orders/" + order + "/cancel", "", "request-19").statusCode())
                .isEqualTo(200);

        try (ShopWorker worker = ShopWorker.start(shop.config)) {
            worker.nudge();
            await().atMost(SOON).until(() -> get("/orders/" + order).body().contains("voided"));
        }
        assertThat(shop.sandbox.effects().captures()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{}",
                "{\"customerId\":\"c-1\"}",
                "{\"amount\":1}",
                "{\"customerId\":\"\",\"amount\":1}",
                "{\"customerId\":\"two words\",\"amount\":1}",
                "{\"customerId\":\"c-1\",\"amount\":0}",
                "{\"customerId\":\"c-1\",\"amount\":-1}",
                "{\"customerId\":\"c-1\",\"amount\":1.5}",
                "{\"customerId\":\"c-1\",\"amount\":\"15\"}",
                "{\"customerId\":\"c-1\",\"amount\":1000000000001}",
                "{\"customerId\":\"c-1\",\"amount\":99999999999999999999}"
            })
    void bad_input_is_refused_and_writes_nothing(String body) throws Exception {
        HttpResponse<String> answer = post("/orders", body, "request-20");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("error");
        assertThat(shop.rows("orders") + shop.rows("payments") + shop.rows("outbox_events"))
                .isZero();
    }

    @Test
    void a_correlation_id_that_does_not_belong_into_a_log_is_refused() throws Exception {
        String order = "{\"customerId\":\"c-1\",\"amount\":250000}";

        assertThat(post("/orders", order, "x".repeat(101)).statusCode()).isEqualTo(400);
        assertThat(post("/orders", order, "a b").statusCode()).isEqualTo(400);
        assertThat(shop.rows("orders")).isZero();
    }

    @Test
    void an_order_that_is_not_there_is_not_found() throws Exception {
        assertThat(get("/orders/" + UUID.randomUUID()).statusCode()).isEqualTo(404);
        assertThat(get("/orders/17").statusCode()).isEqualTo(400);
        assertThat(post("/orders/" + UUID.randomUUID() + "/cancel", "", "request-21")
                        .statusCode())
                .isEqualTo(404);
        assertThat(get("/elsewhere").statusCode()).isEqualTo(404);
    }

    private HttpResponse<String> post(String path, String body, String correlationId) throws Exception {
        return send(HttpRequest.newBuilder(api.uri().resolve(path))
                .header(ShopApi.CORRELATION_HEADER, correlationId)
                .POST(BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(api.uri().resolve(path)).GET());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(SOON).build(), BodyHandlers.ofString());
    }

    private static String id(HttpResponse<String> answer) {
        return String.valueOf(Json.read(answer.body(), Map.class).get("id"));
    }
}
