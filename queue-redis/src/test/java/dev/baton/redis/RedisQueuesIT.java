package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.job.NewJob;
import dev.baton.servers.Redis;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What queues may be called, and where they may be. */
class RedisQueuesIT {
    private final QueueFixture fixture = new QueueFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void queues_whose_names_hold_braces_and_colons_do_not_collide() {
        RedisJobQueue one = fixture.queues.queue("a}:ready{");
        RedisJobQueue two = fixture.queues.queue("a");
        one.enqueue(NewJob.of("x", "{}"));
        assertThat(one.counts().ready()).isEqualTo(1);
        assertThat(two.counts().ready()).isZero();
    }

    @Test
    void a_bad_name_or_address_is_refused_by_what_it_must_be() {
        assertThatThrownBy(() -> fixture.queues.queue("a\u0007")).hasMessageContaining("queue has a control character");
        assertThatThrownBy(() -> RedisQueues.connect(URI.create("http://user:secret@host:1"), "p"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it must be redis://")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> RedisQueues.connect(Redis.get().uri(), " ")).hasMessageContaining("prefix is blank");
    }
}
