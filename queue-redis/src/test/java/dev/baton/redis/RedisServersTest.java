package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RedisServersTest {
    private static final URI A = URI.create("redis://shop:s3cret@a:1/2");
    private static final URI B = URI.create("redis://shop:s3cret@b:1/2");

    @Test
    void a_uri_of_another_form_is_refused_without_showing_its_password() {
        for (String bad : new String[] {
            "http://shop:s3cret@a:1", "redis://shop:s3cret@a", "redis:s3cret", "redis://shop:s3cret@a:1/s3cret"
        }) {
            assertThatThrownBy(() -> RedisServers.single(URI.create(bad)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("redis://[user:password@]host:port")
                    .hasMessageNotContaining("s3cret");
        }
    }

    @Test
    void several_uris_differ_in_host_and_port_only() {
        assertThat(RedisServers.sentinel("m", Set.of(A, B)).config().getDatabase())
                .isEqualTo(2);
        assertThatThrownBy(() -> RedisServers.sentinel("m", Set.of(A, URI.create("redis://shop:other@b:1/2"))))
                .hasMessageContaining("differ")
                .hasMessageNotContaining("s3cret")
                .hasMessageNotContaining("other");
        assertThatThrownBy(() -> RedisServers.cluster(Set.of())).hasMessageContaining("at least one");
    }

    @Test
    void a_cluster_has_no_databases() {
        assertThatThrownBy(() -> RedisServers.cluster(Set.of(A, B))).hasMessageContaining("database 2");
    }

    @Test
    void the_user_of_a_sentinel_is_not_that_of_its_master() {
        RedisServers servers = RedisServers.sentinel("m", Set.of(A, B));
        assertThat(servers.config().getUser()).isNull();
        assertThat(servers.withCredentials("baton", "x").config().getUser()).isEqualTo("baton");
        assertThat(RedisServers.single(A).config().getUser()).isEqualTo("shop");
        assertThat(RedisServers.single(A).withCredentials("baton", "x").config().getUser())
                .isEqualTo("baton");
    }

    @Test
    void bad_settings_are_named() {
        RedisServers plain = RedisServers.single(A);
        assertThatThrownBy(() -> plain.withTrustStore(Path.of("pom.xml"), "x")).hasMessageContaining("rediss");
        assertThatThrownBy(() ->
                        RedisServers.single(URI.create("rediss://a:1")).withTrustStore(Path.of("no-such-file"), "x"))
                .hasMessageContaining("no-such-file");
        assertThatThrownBy(() -> plain.withTimeouts(Duration.ZERO, Duration.ofSeconds(1)))
                .hasMessageContaining("connect")
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> plain.withTimeouts(Duration.ofSeconds(1), Duration.ofDays(1)))
                .hasMessageContaining("answer")
                .hasMessageContaining("PT24H");
        for (Duration bad :
                new Duration[] {Duration.ofNanos(-1), Duration.ofMillis(1).plusNanos(1)}) {
            assertThatThrownBy(() -> plain.withBusyPoll(bad))
                    .hasMessageContaining("busyPoll")
                    .hasMessageContaining(bad.toString())
                    .hasMessageContaining("PT0.001S");
        }
    }

    @Test
    void who_waits_for_an_answer_looks_for_it_as_long_as_the_settings_say() {
        assumeThat(Runtime.getRuntime().availableProcessors())
                .as("processors; nobody looks on a single one")
                .isGreaterThan(1);
        RedisServers servers = RedisServers.single(A);
        assertThat(servers.busyPoll().atMost()).isEqualTo(Duration.ofNanos(100_000));
        assertThat(servers.withBusyPoll(Duration.ofMillis(1))
                        .withCredentials("baton", "x")
                        .withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(1))
                        .withReconnect(Duration.ofSeconds(1), Duration.ofSeconds(1))
                        .busyPoll()
                        .atMost())
                .isEqualTo(Duration.ofMillis(1));
        assertThat(servers.withBusyPoll(Duration.ZERO).busyPoll().atMost()).isZero();
    }

    @Test
    void they_are_named_without_their_password() {
        assertThat(RedisServers.single(A)).hasToString("Redis at a:1");
        assertThat(RedisServers.sentinel("m", Set.of(A)).withCredentials("shop", "s3cret"))
                .hasToString("Redis master m of the Sentinels at [a:1]");
    }
}
