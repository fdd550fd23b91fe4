package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.outbox.Event;
import dev.baton.relay.Delivery;
import dev.baton.relay.SinkAnswer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue as a sink that answers for each event. */
class RelayedEventIT {
    private final QueueFixture fixture = new QueueFixture();
    private final RedisJobQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_relayed_event_becomes_a_job_under_its_own_id_and_its_repeat_is_recognised() {
        Event event = Event.of("order.placed", 7, "{\"a\":1}").withHeaders(Map.of("correlationId", "r"));
        List<Delivery> batch = List.of(new Delivery(event, "capture"));
        assertThat(queue.accept(batch)).containsExactly(SinkAnswer.ACCEPTED);
        assertThat(queue.accept(batch)).containsExactly(SinkAnswer.DUPLICATE);

        JobRecord job = fixture.record(event.id().toString());
        assertThat(job.envelope().name()).isEqualTo("capture");
        assertThat(job.payload()).isEqualTo("{\"a\":1}");
        assertThat(job.envelope().headers()).containsEntry("correlationId", "r");
    }

    @Test
    void an_event_that_is_too_large_is_rejected_alone() {
        Event large = Event.of("order.placed", 7, "x".repeat(300_000));
        Event small = Event.of("order.placed", 7, "{}");
        List<SinkAnswer> answers =
                queue.accept(List.of(new Delivery(large, "capture"), new Delivery(small, "capture")));
        assertThat(answers.get(0)).isInstanceOf(SinkAnswer.Rejected.class);
        assertThat(answers.get(1)).isEqualTo(SinkAnswer.ACCEPTED);
        assertThat(queue.counts().ready()).isEqualTo(1);
    }
}
