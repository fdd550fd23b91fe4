package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * namastack-outbox, in a Spring context of its own: records are handed over by a poll of a thousand keys, at a fixed interval
 * as short as it makes sense, and by as many threads as the others have. While only recording, it does not poll.
 */
final class Namastack implements Library {
    private static final int CHUNK = 100;
    private static final String NEVER = "10h";

    @Override
    public String name() {
        return "namastack";
    }

    @Override
    public Session open(HikariDataSource pool) {
        return new Records(pool);
    }

    /** What is recorded. */
    public record Message(String payload) {}

    /** The context needs nothing but the library and what it stands on. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Application {}

    private static final class Records implements Session {
        private final HikariDataSource pool;
        private final AtomicLong handed = new AtomicLong();
        private ConfigurableApplicationContext context;
        private Outbox outbox;
        private TransactionTemplate transactions;

        private Records(HikariDataSource pool) {
            this.pool = pool;
            this.context = run(NEVER, payload -> {});
            this.outbox = context.getBean(Outbox.class);
            this.transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        }

        @Override
        public void record(String payload) {
            transactions.executeWithoutResult(status -> schedule(payload));
        }

        @Override
        public void backlog(int events) {
            for (int from = 0; from < events; from += CHUNK) {
                var chunk = Payloads.chunk(from, Math.min(events, from + CHUNK));
                transactions.executeWithoutResult(status -> chunk.forEach(this::schedule));
            }
        }

        @Override
        public void start(Consumer<String> handler) {
            context.close();
            context = run("10ms", handler);
            outbox = context.getBean(Outbox.class);
            transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        }

        @Override
        public long handed() {
            return handed.get();
        }

        @Override
        public void close() {
            context.close();
        }

        private void schedule(String payload) {
            outbox.schedule(new Message(payload), "order-" + Payloads.number(payload));
        }

        private ConfigurableApplicationContext run(String interval, Consumer<String> handler) {
            Map<String, Object> properties = Map.of(
                    "namastack.outbox.polling.batch-size",
                    1_000,
                    "namastack.outbox.polling.fixed.interval",
                    interval,
                    "namastack.outbox.processing.executor-core-pool-size",
                    WORKERS,
                    "namastack.outbox.processing.executor-max-pool-size",
                    WORKERS,
                    // Else it waits for a process before it that is gone.
                    "namastack.outbox.instance.heartbeat-interval",
                    "1s",
                    "namastack.outbox.instance.stale-instance-timeout",
                    "10s",
                    "namastack.outbox.instance.rebalance-interval",
                    "1s");
            return new SpringApplicationBuilder(Application.class)
                    .bannerMode(Banner.Mode.OFF)
                    .logStartupInfo(false)
                    .properties(properties)
                    .initializers(made -> register((GenericApplicationContext) made, handler))
                    .run();
        }

        private void register(GenericApplicationContext made, Consumer<String> handler) {
            made.registerBean(DataSource.class, () -> pool, bean -> bean.setDestroyMethodName(""));
            made.registerBean(Handler.class, () -> new Handler(handler, handed));
        }
    }

    /** It is found by its type. */
    static final class Handler implements OutboxTypedHandler<Message> {
        private final Consumer<String> handler;
        private final AtomicLong handed;

        private Handler(Consumer<String> handler, AtomicLong handed) {
            this.handler = handler;
            this.handed = handed;
        }

        @Override
        public void handle(Message message, OutboxRecordMetadata metadata) {
            handler.accept(message.payload());
            handed.incrementAndGet();
        }
    }
}
