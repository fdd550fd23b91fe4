package dev.baton.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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

class ShopAdminIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String TOKEN = "a-token-of-the-test";

    private final HttpClient http = HttpClient.newHttpClient();
    private final ShopFixture shop = new ShopFixture();
    private final ShopWorker worker = ShopWorker.start(shop.config);
    private final ShopAdmin admin = worker.admin(0, TOKEN);

    ShopAdminIT() throws IOException {}

    @AfterEach
    void close() {
        admin.close();
        worker.close();
        shop.close();
    }

    @Test
    void who_does_not_know_the_token_sees_the_metrics_and_nothing_else() throws Exception {
        assertThat(send("GET", "/metrics", "", "").body())
                .contains("shop_relay_healthy 1\n", "shop_events_unpublished 0\n")
                .contains("shop_jobs{queue=\"payments\",state=\"ready\"} 0\n");
        for (String token : new String[] {"", "Bearer ", "Bearer another-token-than-that", TOKEN}) {
            assertThat(send("GET", "/dead-letters", token, "").statusCode()).isEqualTo(401);
            assertThat(send("POST", "/redrives", token, "{\"by\":\"ann\",\"why\":\"mended\"}")
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThatThrownBy(() -> worker.admin(0, "short")).hasMessageContaining("ADMIN_TOKEN is too short");
    }

    @Test
    void what_died_is_sent_back_once_its_cause_is_mended() throws Exception {
        UUID order = shop.placeOrder();
        shop.jdbi().useHandle(handle -> {
            handle.execute("CREATE TABLE lost AS SELECT * FROM payments");
            handle.execute("DELETE FROM payments");
        });
        worker.nudge();
        await().atMost(SOON)
                .until(() -> known("GET", "/dead-letters", "").body().contains("capture-payment"));

        shop.jdbi().useHandle(handle -> handle.execute("INSERT INTO payments SELECT * FROM lost"));
        assertThat(known("POST", "/redrives", "{\"queue\":\"payments\",\"by\":\"ann\"}")
                        .statusCode())
                .as("nobody said why")
                .isEqualTo(400);
        String wish = "{\"queue\":\"payments\",\"by\":\"ann\",\"why\":\"the payment is back\"";
        assertThat(known("POST", "/redrives", wish + ",\"dryRun\":true}").body())
                .contains("\"redriven\":1");
        assertThat(shop.sandbox.effects().captures()).isEmpty();

        String id =
                String.valueOf(Json.read(known("POST", "/redrives", wish + "}").body(), Map.class)
                        .get("id"));
        await().atMost(SOON)
                .until(() -> shop.sandbox.effects().captures().equals(Map.of(order.toString(), 1))
                        && shop.sandbox.effects().shipments().equals(Map.of(order.toString(), 1)));
        await().atMost(SOON)
                .until(() -> known("GET", "/redrives/" + id, "").body().contains("DONE"));
        assertThat(known("GET", "/dead-letters", "").body()).isEqualTo("[]");
        assertThat(known("POST", "/redrives/" + id + "/cancel", "{\"by\":\"ann\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(known("POST", "/redrives/" + id + "/cancel", "{\"by\":\"ann\",\"why\":\"too late\"}")
                        .body())
                .isEqualTo("{\"cancelled\":false}");
        assertThat(known("GET", "/redrives/" + id + "/audit", "").body())
                .contains("STARTED", "the payment is back")
                .doesNotContain("CANCELLED");
    }

    private HttpResponse<String> known(String method, String path, String body) throws Exception {
        return send(method, path, "Bearer " + TOKEN, body);
    }

    private HttpResponse<String> send(String method, String path, String authorization, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(admin.uri().resolve(path))
                .method(method, BodyPublishers.ofString(body))
                .timeout(SOON);
        return http.send(
                authorization.isEmpty()
                        ? request.build()
                        : request.header("Authorization", authorization).build(),
                BodyHandlers.ofString());
    }
}
