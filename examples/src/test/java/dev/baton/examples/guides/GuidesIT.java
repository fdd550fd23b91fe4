package dev.baton.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.baton.failure.RetryLaterException;
import dev.baton.idempotency.Guard;
import dev.baton.idempotency.GuardSchema;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.job.NewJob;
import dev.baton.outbox.Event;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class GuidesIT {
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(Postgres.freshSchema()));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "choosing-an-error-class.md",
                "idempotent-handlers.md",
                "partitions.md",
                "connections.md",
                "../examples/README.md"
            })
    void a_guide_shows_only_code_that_is_compiled_and_run_here(String guide) throws IOException {
        String all = flat(sources());
        List<String> blocks = BLOCK.matcher(Files.readString(Path.of("../docs", guide)))
                .results()
                .map(block -> flat(block.group(1)))
                .toList();
        assertThat(blocks).isNotEmpty().allSatisfy(block -> assertThat(all).contains(block));
    }

    @Test
    void a_request_is_answered_once_and_its_repeat_gets_the_answer() {
        GuardSchema.migrate(jdbi);
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE refunds (body text)"));
        GuideCode code = new GuideCode(jdbi);
        assertThat(code.answer("k1", "{\"a\":1,\"b\":2}")).isEqualTo("refunded");
        assertThat(code.answer("k1", "{\"b\":2,\"a\":1}")).isEqualTo("refunded");
        assertThat(code.answer("k1", "{\"a\":3}")).startsWith("422");
        assertThat(count("refunds")).isEqualTo(1);
    }

    @Test
    void an_answer_that_is_no_success_becomes_an_error_class() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "7");
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
        });
        server.start();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .build();
        assertThatThrownBy(() -> GuideCode.call(HttpClient.newHttpClient(), request))
                .isInstanceOf(RetryLaterException.class);
        server.stop(0);
    }

    @Test
    void a_rule_of_ones_own_decides_over_a_job() {
        OutboxSchema.migrate(jdbi);
        JdbiDeadLetterStore letters = new JdbiDeadLetterStore(jdbi);
        try (RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
                RedisWorker worker = GuideCode.ownRules(queues.queue("payments"), job -> {
                            throw new IOException(new GuideCode.CardDeclinedException());
                        })
                        .deadLetters(letters)
                        .start()) {
            queues.queue("payments").enqueue(NewJob.of("capture-payment", "{}"));
            await().until(() -> letters.open(1).size() == 1);
            assertThat(letters.open(1).get(0).attempts()).isEqualTo(1);
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void the_guard_works_in_a_transaction_that_also_writes_to_the_outbox() {
        OutboxSchema.migrate(jdbi);
        GuardSchema.migrate(jdbi);
        Guard guard = Guard.forConsumer("payments.record");
        JdbiOutboxWriter outbox = new JdbiOutboxWriter();
        for (int i = 0; i < 2; i++) {
            jdbi.useTransaction(tx ->
                    guard.once(tx, "m1", () -> outbox.write(tx, Event.of("payment.captured", "order-1", "{}"))));
        }
        assertThatThrownBy(() -> jdbi.useTransaction(tx -> guard.once(tx, "m2", () -> {
                    outbox.write(tx, Event.of("payment.captured", "order-2", "{}"));
                    throw new IOException("half way");
                })))
                .isInstanceOf(IOException.class);
        assertThat(count("outbox_events")).isEqualTo(1);
        assertThat(count("processed_messages")).isEqualTo(1);
    }

    private int count(String table) {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT count(*) FROM " + table)
                .mapTo(Integer.class)
                .one());
    }

    private static String sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            StringBuilder all = new StringBuilder();
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> all.append(read(file)));
            return all.toString();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How lines are broken is the formatter's business. */
    private static String flat(String code) {
        return code.replaceAll("\\s+", "");
    }
}
