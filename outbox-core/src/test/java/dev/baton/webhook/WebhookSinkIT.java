package dev.baton.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.baton.failure.ThrottledException;
import dev.baton.outbox.Event;
import dev.baton.relay.Delivery;
import dev.baton.relay.SinkAnswer;
import dev.baton.relay.SinkContract;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WebhookSinkIT {
    private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.UTF_8);

    private final List<UUID> received = new CopyOnWriteArrayList<>();
    private final List<String> signatures = new CopyOnWriteArrayList<>();
    private final List<String> traces = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private HttpServer server;
    private WebhookSink sink;
    private ToIntFunction<String> status = body -> 204;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        URI target = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook");
        sink = WebhookSink.to("crm", target, SECRET).timeout(Duration.ofSeconds(2));
    }

    @AfterEach
    void stop() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void it_is_a_sink() {
        assertThat(SinkContract.violations(sink, () -> received)).isEmpty();
    }

    @Test
    void a_request_is_signed_over_id_time_and_body() {
        Delivery delivery = delivery("order-1", "{\"n\": 1}");
        assertThat(sink.accept(List.of(delivery))).containsExactly(SinkAnswer.ACCEPTED);
        assertThat(signatures).hasSize(1);
        // From: printf '%s' 'id.1700000000.{"n": 1}' | openssl dgst -sha256 -hmac 0123456789abcdef -binary | base64
        assertThat(new Signature(SECRET).of("id", 1_700_000_000, "{\"n\": 1}"))
                .isEqualTo("v1,5OTuPi5S0WRof//o4mDKJ+NHCpl3m7ylrRm/uwp+ky4=");
    }

    @Test
    void a_traceparent_of_another_form_is_left_out_and_stops_nothing() {
        String good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        for (String trace : List.of(good, "two\nlines", "\u4e2d", "")) {
            Event event = Event.of("t", "order-1", "{}").withHeaders(Map.of("traceparent", trace));
            assertThat(sink.accept(List.of(new Delivery(event, "job")))).containsExactly(SinkAnswer.ACCEPTED);
        }
        assertThat(traces).containsExactly(good);
    }

    @Test
    void one_event_that_is_refused_is_rejected_alone_whatever_the_error() {
        status = body -> body.contains("bad") ? 500 : 200;
        assertThat(sink.accept(List.of(delivery("a", "\"good\""), delivery("b", "\"bad\""), delivery("c", "\"good\""))))
                .containsExactly(SinkAnswer.ACCEPTED, new SinkAnswer.Rejected("HTTP 500"), SinkAnswer.ACCEPTED);
        assertThat(sink.accept(List.of(delivery("b", "\"bad\"")))).containsExactly(new SinkAnswer.Rejected("HTTP 500"));
        status = body -> 404;
        assertThat(sink.accept(List.of(delivery("a", "1"), delivery("b", "2"))))
                .containsOnly(new SinkAnswer.Rejected("HTTP 404"));
    }

    @Test
    void what_is_the_events_own_fault_is_refused_for_good_and_what_is_to_come_later_until_then() {
        status = body -> 422;
        assertThat(sink.accept(List.of(delivery("a", "1"), delivery("b", "2"))))
                .containsOnly(new SinkAnswer.Rejected("HTTP 422", true, Duration.ZERO));
        status = body -> body.contains("busy") ? 429 : 200;
        assertThat(sink.accept(List.of(delivery("a", "1"), delivery("b", "\"busy\""))))
                .containsExactly(
                        SinkAnswer.ACCEPTED, new SinkAnswer.Rejected("HTTP 429", false, Duration.ofSeconds(10)));
        assertThat(sink.largestBatch()).isEqualTo(32);
    }

    @Test
    void a_service_that_is_away_or_tells_all_to_come_later_fails_the_call_so_that_everything_comes_again() {
        status = body -> 429;
        assertThatThrownBy(() -> sink.accept(List.of(delivery("a", "1"), delivery("b", "2"))))
                .isInstanceOf(ThrottledException.class);
        // It hangs.
        status = body -> -1;
        assertThatThrownBy(() -> sink.accept(List.of(delivery("a", "1")))).hasMessageStartingWith("no answer (");
        closed.countDown();
        server.stop(0);
        assertThatThrownBy(() -> sink.accept(List.of(delivery("a", "1")))).hasMessageStartingWith("no answer (");
    }

    @Test
    void a_bad_setting_is_refused_by_name_and_bound() {
        assertThatThrownBy(() -> sink.timeout(Duration.ofMinutes(1))).hasMessageContaining("between PT0.001S and PT3S");
        assertThatThrownBy(() -> WebhookSink.to("x", URI.create("ftp://x"), SECRET))
                .hasMessageContaining("has the scheme ftp");
        assertThatThrownBy(() -> WebhookSink.to("x", URI.create("http://x"), new byte[3]))
                .hasMessageContaining("the secret has 3 bytes");
    }

    private static Delivery delivery(String aggregate, String payload) {
        return new Delivery(Event.of("t", aggregate, payload), "job");
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String id = exchange.getRequestHeaders().getFirst("webhook-id");
        long time = Long.parseLong(exchange.getRequestHeaders().getFirst("webhook-timestamp"));
        String signature = exchange.getRequestHeaders().getFirst("webhook-signature");
        assertThat(signature).isEqualTo(new Signature(SECRET).of(id, time, body));
        signatures.add(signature);
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("traceparent"))
                .ifPresent(traces::add);
        int code = status.applyAsInt(body);
        if (code < 0) {
            await();
        } else if (code / 100 == 2) {
            received.add(UUID.fromString(id));
        }
        exchange.sendResponseHeaders(Math.max(code, 200), -1);
        exchange.close();
    }

    private void await() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
