package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import dev.baton.servers.RedisProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

@Timeout(60)
class TlsIT {
    @TempDir
    Path folder;

    private Certificate certificate;
    private Path trust;
    private RedisProcess server;
    private int port;

    @BeforeEach
    void start() throws Exception {
        certificate = new Certificate(folder);
        trust = certificate.trust(folder);
        port = freePort();
        server = RedisProcess.start(
                "--tls-port",
                Integer.toString(port),
                "--tls-cert-file",
                certificate.certificate.toString(),
                "--tls-key-file",
                certificate.key.toString(),
                "--tls-ca-cert-file",
                certificate.certificate.toString(),
                "--tls-auth-clients",
                "no");
        try (Jedis admin = SentinelGroup.jedis(server)) {
            admin.aclSetUser("shop", ServerCheckIT.RIGHTS);
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void a_user_and_a_password_in_a_rediss_url_work_over_tls() {
        try (RedisQueues queues = RedisQueues.connect(trusting("shop:s3cret@127.0.0.1"), "p");
                RedisWorker worker = RedisWorker.builder(queues.queue("q"))
                        .handle("work", job -> {})
                        .start()) {
            assertThat(queues.check()).isEmpty();
            queues.queue("q").enqueue(NewJob.of("work", "{}"));
            await().until(() -> queues.queue("q").counts().totals().completed() == 1);
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void a_certificate_that_the_jvm_does_not_know_is_refused() {
        assertRefusedByTls(RedisServers.single(uri("shop:s3cret@127.0.0.1")));
    }

    @Test
    void a_certificate_of_another_host_is_refused() {
        assertRefusedByTls(trusting("shop:s3cret@localhost"));
    }

    @Test
    void a_wrong_password_is_refused_and_shown_nowhere() {
        RedisServers servers = trusting("shop:wr0ng@127.0.0.1");
        try (RedisQueues queues = RedisQueues.connect(servers, "p")) {
            assertThatThrownBy(() -> queues.queue("q").counts())
                    .isInstanceOf(JedisException.class)
                    .hasStackTraceContaining("WRONGPASS")
                    .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("wr0ng"));
            assertThat(queues.check())
                    .singleElement()
                    .asString()
                    .contains("WRONGPASS")
                    .doesNotContain("wr0ng");
            assertThat(queues + " " + servers).doesNotContain("wr0ng");
        }
    }

    @Test
    void a_server_that_asks_for_our_certificate_gets_it() {
        try (Jedis admin = SentinelGroup.jedis(server)) {
            admin.configSet("tls-auth-clients", "yes");
        }
        RedisServers servers = trusting("shop:s3cret@127.0.0.1");
        try (RedisQueues queues = RedisQueues.connect(servers, "p")) {
            assertThatThrownBy(() -> queues.queue("q").counts()).isInstanceOf(JedisException.class);
        }
        try (RedisQueues queues =
                RedisQueues.connect(servers.withKeyStore(certificate.store, Certificate.PASSWORD), "p")) {
            assertThat(queues.queue("q").counts().ready()).isZero();
        }
    }

    private static void assertRefusedByTls(RedisServers servers) {
        try (RedisQueues queues = RedisQueues.connect(servers, "p")) {
            assertThatThrownBy(() -> queues.queue("q").counts())
                    .isInstanceOf(JedisException.class)
                    .hasRootCauseInstanceOf(java.security.GeneralSecurityException.class)
                    .satisfies(e -> assertThat(e.getCause()).isInstanceOf(SSLException.class));
        }
    }

    private RedisServers trusting(String userAndHost) {
        return RedisServers.single(uri(userAndHost)).withTrustStore(trust, Certificate.PASSWORD);
    }

    private URI uri(String userAndHost) {
        return URI.create("rediss://" + userAndHost + ":" + port);
    }

    private static String stackTrace(Throwable e) {
        java.io.StringWriter text = new java.io.StringWriter();
        e.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
