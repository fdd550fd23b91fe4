package dev.baton.examples.relay;

import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.relay.Delivery;
import dev.baton.relay.ExactSink;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.relay.SinkAnswer;
import dev.baton.servers.Postgres;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** A relay in a process of its own that dies, or says where it is, between two queues of a batch. */
final class RelayProcess {
    static final String IN_MID_BATCH = "in mid batch";
    static final String WENT_ON = "went on";

    private RelayProcess() {}

    /** Arguments: JDBC URL, Redis URI, prefix, what to do in the middle of the n-th batch, n. */
    public static void main(String[] args) throws InterruptedException {
        RedisQueues queues = RedisQueues.connect(URI.create(args[1]), args[2]);
        AtomicInteger batches = new AtomicInteger(Integer.parseInt(args[4]));
        Runnable middle = () -> {
            if (batches.decrementAndGet() == 0) {
                if (args[3].equals("halt")) {
                    Runtime.getRuntime().halt(137);
                }
                System.out.println(IN_MID_BATCH);
                LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
                System.out.println(WENT_ON);
            }
        };
        ExactSink payments = new Watched(queues.queue("payments"), middle);
        relay(args[0], payments, queues.queue("mail")).start();
        new CountDownLatch(1).await();
    }

    static dev.baton.relay.RelayBuilder relay(String url, ExactSink payments, ExactSink mail) {
        Routes routes = Routes.builder()
                .route("counted", payments, "count")
                .route("counted", mail, "count")
                .build();
        JdbiOutboxStore store = new JdbiOutboxStore(Jdbi.create(Postgres.dataSource(url)));
        return Relay.builder(store, routes).batchSize(20).pollInterval(Duration.ofMillis(100));
    }

    /** A queue that says when it has been given a batch. */
    private record Watched(RedisJobQueue queue, Runnable after) implements ExactSink {
        @Override
        public String name() {
            return queue.name();
        }

        @Override
        public List<SinkAnswer> accept(List<Delivery> deliveries) {
            return queue.accept(deliveries);
        }

        @Override
        public @Nullable String objection(Delivery delivery) {
            return queue.objection(delivery);
        }

        @Override
        public Memory memory(String owner) {
            return queue.memory(owner);
        }

        @Override
        public Optional<Memory> handOver(Batch batch) {
            Optional<Memory> memory = queue.handOver(batch);
            after.run();
            return memory;
        }
    }
}
