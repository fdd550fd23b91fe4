package dev.baton.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.deadletter.PlaceHeaders;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.failure.Backoff;
import dev.baton.failure.RetryPolicy;
import dev.baton.job.JobOptions;
import dev.baton.outbox.Event;
import dev.baton.outbox.Topic;
import dev.baton.webhook.WebhookSink;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoutesTest {
    private final Sink payments = new NamedSink("payments");
    private final Sink mail = new NamedSink("mail");

    enum Topics implements Topic {
        PLACED,
        CANCELLED;

        @Override
        public String topicName() {
            return "order." + name();
        }
    }

    @Test
    void a_table_over_an_enum_has_every_topic() {
        Routes routes = Routes.of(Topics.class, topic -> switch (topic) {
            case PLACED -> List.of(Route.to(payments, "capture"), Route.to(mail, "confirm"));
            case CANCELLED -> List.of(Route.to(payments, "void"));
        });

        assertThat(routes.topics()).containsExactly("order.PLACED", "order.CANCELLED");
        assertThat(routes.sinks()).containsExactly(payments, mail);
        assertThat(routes.of("order.PLACED")).extracting(Route::jobName).containsExactly("capture", "confirm");
        assertThat(routes.of("order.unheard-of")).isEmpty();
    }

    @Test
    void a_topic_without_a_target_is_refused() {
        assertThatThrownBy(() -> Routes.of(Topics.class, topic -> List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("order.PLACED has no target");
    }

    @Test
    void two_targets_in_one_sink_are_refused_because_their_jobs_would_share_an_id() {
        Routes.Builder builder =
                Routes.builder().route("order.placed", payments, "capture").route("order.placed", payments, "check");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("order.placed has two targets in payments");
    }

    @Test
    void two_sinks_of_one_name_are_refused_because_their_memories_would_be_taken_for_one() {
        Sink other = new NamedSink("payments");
        Routes.Builder builder =
                Routes.builder().route("order.placed", payments, "capture").route("order.paid", other, "check");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two sinks have the name payments");
    }

    @Test
    void letting_others_pass_is_refused_for_a_topic_without_a_route() {
        Routes routes =
                Routes.builder().route("order.placed", payments, "capture").build();
        assertThat(routes.letOthersPass("order.placed").othersWait("order.placed"))
                .isFalse();
        assertThat(routes.othersWait("order.placed")).isTrue();
        assertThatThrownBy(() -> routes.letOthersPass("order.paid")).hasMessageContaining("order.paid has no route");
    }

    @Test
    void a_route_gives_the_job_its_payload_key_priority_and_time() {
        Instant time = Instant.parse("2030-01-01T00:00:00Z");
        Event event = Event.of("order.placed", "order-7", "{}").notBefore(time);
        Delivery delivery = Route.to(payments, "capture")
                .payload(placed -> Map.of("order", placed.aggregateId()))
                .orderedBy(Event::aggregateId)
                .priority(3)
                .delay(Duration.ofMinutes(1))
                .delivery(event);
        assertThat(delivery.payload()).isEqualTo("{\"order\":\"order-7\"}");
        assertThat(delivery.options().orderingKey()).isEqualTo("order-7");
        assertThat(delivery.options().priority()).isEqualTo(3);
        assertThat(delivery.options().at()).isEqualTo(time.plusSeconds(60));
    }

    @Test
    void a_redrivable_table_has_a_way_back_to_each_target_with_the_payload_and_the_place_that_the_job_had() {
        Routes routes = Routes.builder()
                .route(
                        "order.placed",
                        Route.to(payments, "capture").payload(event -> "mapped"),
                        Route.to(mail, "confirm"))
                .route("order.paid", payments, "capture")
                .build()
                .letOthersPass("order.paid")
                .redrivable();
        assertThat(routes.topics())
                .containsExactly(
                        "order.placed",
                        "order.paid",
                        RedriveOrder.topic("payments", "capture"),
                        RedriveOrder.topic("mail", "confirm"));
        assertThat(routes.othersWait("order.paid")).isFalse();

        RetryPolicy twice = RetryPolicy.DEFAULT.withAttempts(2);
        Map<String, String> place = PlaceHeaders.with(Map.of("h", "v"), "k", 7, twice);
        Event back = Event.of(RedriveOrder.topic("payments", "capture"), "job-1", "{\"a\":1}")
                .withHeaders(place);
        Delivery delivery = routes.of(back.topic()).get(0).delivery(back);
        assertThat(delivery.payload()).isEqualTo("{\"a\":1}");
        assertThat(delivery.jobName()).isEqualTo("capture");
        assertThat(delivery.options()).isEqualTo(new JobOptions(Duration.ZERO, null, "k", 7, null, twice));
        assertThat(PlaceHeaders.with(place, "", 0, null)).isEqualTo(Map.of("h", "v"));
    }

    @Test
    void what_a_sink_cannot_keep_is_refused_when_the_routes_are_built_and_not_lost_at_the_first_event() {
        byte[] secret = new byte[16];
        Sink webhook = WebhookSink.to("crm", URI.create("http://127.0.0.1/"), secret);
        Route plain = Route.to(webhook, "tell");
        assertThat(Routes.builder().route("order.placed", plain).build().sinks())
                .containsExactly(webhook);
        assertThatThrownBy(() -> Routes.builder()
                        .route("order.placed", plain.delay(Duration.ofMinutes(1)))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the route of topic order.placed to crm")
                .hasMessageContaining("keeps no delay; give it a queue in between");
        for (Route route :
                List.of(plain.orderedBy(Event::aggregateId), plain.priority(3), plain.retry(RetryPolicy.DEFAULT))) {
            assertThatThrownBy(
                            () -> Routes.builder().route("order.placed", route).build())
                    .hasMessageContaining("knows no ordering key, priority or retry policy");
        }
        Event later = Event.of("order.placed", 1, "{}").notBefore(Instant.parse("2030-01-01T00:00:00Z"));
        assertThat(webhook.objection(plain.delivery(later))).contains("keeps no notBefore");
        assertThat(webhook.objection(plain.delivery(Event.of("order.placed", 1, "{}"))))
                .isNull();
    }

    @Test
    void each_event_may_have_a_retry_policy_of_its_own() {
        RetryPolicy twice = RetryPolicy.DEFAULT.withAttempts(2);
        Route route = Route.to(payments, "capture")
                .retry(RetryPolicy.DEFAULT)
                .retryBy(event -> event.aggregateId().equals("order-1") ? twice : null);

        assertThat(route.delivery(Event.of("order.placed", "order-1", "{}"))
                        .options()
                        .retry())
                .isEqualTo(twice);
        assertThat(route.delivery(Event.of("order.placed", "order-2", "{}"))
                        .options()
                        .retry())
                .isNull();
    }

    @Test
    void the_retention_must_last_until_the_last_attempt_of_every_route() {
        RetryPolicy slow = new RetryPolicy(4, 50, Backoff.fixed(Duration.ofHours(2)));
        Routes routes = Routes.builder()
                .route("order.placed", payments, "capture")
                .route(
                        "order.placed",
                        Route.to(mail, "remind").delay(Duration.ofHours(10)).retry(slow))
                .build();
        routes.checkRetention(Duration.ofHours(16));
        assertThatThrownBy(() -> routes.checkRetention(Duration.ofHours(15)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("retention is PT15H")
                .hasMessageContaining("remind of topic order.placed")
                .hasMessageContaining("PT16H");
    }

    @Test
    void a_blank_job_name_is_refused() {
        assertThatThrownBy(() -> Route.to(payments, " ")).hasMessageContaining("Route.jobName to payments is blank");
    }

    private static final class NamedSink implements Sink {
        private final String name;

        NamedSink(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<SinkAnswer> accept(List<Delivery> deliveries) {
            throw new IllegalStateException("not to be called");
        }
    }
}
