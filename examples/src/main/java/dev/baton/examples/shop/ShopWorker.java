package dev.baton.examples.shop;

import dev.baton.examples.service.Database;
import dev.baton.examples.service.Environment;
import dev.baton.examples.service.ServiceMain;
import dev.baton.examples.web.JsonClient;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.JdbiRedriver;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.redis.RedisWorkers;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Everything that happens after the commit: the relay, the workers of the five queues, and what sends dead jobs back. Any
 * number of these processes may run; each can be killed at any moment, and the others take over.
 */
public final class ShopWorker implements AutoCloseable {
    private final ShopConfig config;
    private final ShopProbe probe;
    private final Database database;
    private final JdbiDeadLetterStore deadLetters;
    private final RedisQueues queues;
    private final Relay relay;
    private final JdbiRedriver redriver;
    private final ShopHandlers handlers;
    private final RedisWorkers workers;

    private ShopWorker(ShopConfig config, ShopProbe probe) {
        this.config = config;
        this.probe = probe;
        this.database = Database.open(config.databaseUrl(), ShopApi.class);
        this.deadLetters = new JdbiDeadLetterStore(database.jdbi());
        this.queues = RedisQueues.connect(config.redis(), config.prefix());
        Routes routes = ShopRoutes.over(queues::queue).redrivable();
        this.relay = Relay.builder(new JdbiOutboxStore(database.jdbi()), routes)
                .deadLetters(deadLetters)
                .start();
        JdbiOutboxWriter outbox = new JdbiOutboxWriter(this::committed);
        this.redriver = new JdbiRedriver(database.jdbi(), outbox, routes.topics()).start();
        this.handlers = new ShopHandlers(
                database.jdbi(),
                new JsonClient(config.foreignServices(), ShopConfig.CALL_TIMEOUT),
                outbox,
                new ShopMaintenance(database.jdbi()),
                probe);
        this.workers = RedisWorkers.of(ShopQueues.ALL.stream().map(this::worker).toArray(RedisWorker[]::new));
        ShopMaintenance.schedule(queues.queue(ShopQueues.MAINTENANCE).schedules());
    }

    /** Starts it. */
    public static ShopWorker start(ShopConfig config) {
        return start(config, ShopProbe.NONE);
    }

    /** Starts it, watched. */
    public static ShopWorker start(ShopConfig config, ShopProbe probe) {
        return new ShopWorker(config, probe);
    }

    /**
     * Runs it as a process of its own; see {@link ShopConfig#from}, and {@code ADMIN_TOKEN}, which opens {@link ShopAdmin}
     * on {@code ADMIN_PORT}, 8081 by default.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        ServiceMain.run(environment -> {
            ShopWorker worker = start(ShopConfig.from(environment));
            ShopAdmin admin = worker.admin(environment);
            System.out.println("The shop's workers are running");
            return () -> {
                if (admin != null) {
                    admin.close();
                }
                worker.close();
            };
        });
    }

    /**
     * Opens the door for those who run the shop.
     *
     * @param port 0 for any free one
     * @param token that callers have to know
     */
    public ShopAdmin admin(int port, String token) throws IOException {
        return ShopAdmin.start(port, token, new ShopMetrics(relay, queues), deadLetters, redriver);
    }

    /** Tells the relay that something was committed. */
    public void nudge() {
        relay.nudge();
    }

    /**
     * Stops gracefully: first the relay, so that no new work arrives; then the workers, which let running jobs
     * finish; last the connections that both use. What is not done waits for the next worker.
     */
    @Override
    public void close() {
        relay.close();
        redriver.close();
        workers.close();
        queues.close();
        database.close();
    }

    private RedisWorker worker(String name) {
        RedisJobQueue queue = queues.queue(name);
        QueueOptions options = QueueOptions.of(name, config.carrierPerSecond());
        options.applyTo(queue.settings());
        return handlers.addTo(name, options.applyTo(RedisWorker.builder(queue)))
                .lease(config.lease())
                .deadLetters(deadLetters)
                .start();
    }

    private @Nullable ShopAdmin admin(Environment environment) throws IOException {
        String token = environment.text("ADMIN_TOKEN", "");
        return token.isEmpty() ? null : admin((int) environment.number("ADMIN_PORT", 8081), token);
    }

    private void committed() {
        probe.committed();
        relay.nudge();
    }
}
