package dev.baton.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.outbox.Topic;
import java.util.List;
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
    void a_blank_job_name_is_refused() {
        assertThatThrownBy(() -> Route.to(payments, " ")).hasMessageContaining("Route.jobName to payments is blank");
    }

    private record NamedSink(String name) implements Sink {
        @Override
        public List<SinkAnswer> accept(List<Delivery> deliveries) {
            throw new IllegalStateException("not to be called");
        }
    }
}
