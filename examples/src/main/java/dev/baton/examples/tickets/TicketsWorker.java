package dev.baton.examples.tickets;

import dev.baton.deadletter.DeadLetterStore;
import dev.baton.examples.service.Database;
import dev.baton.examples.service.ServiceMain;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.job.Job;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.relay.Relay;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/**
 * Everything that happens after the commit: the relay, and the worker that releases seats. Any number of these processes
 * may run; each can be killed at any moment, and the others take over. After an outage of PostgreSQL or Redis all of it
 * resumes by itself.
 */
public final class TicketsWorker implements AutoCloseable {
    private static final String NOBODY = "{\"orderId\":0}";

    private final Database database;
    private final TicketOffice office;
    private final RedisQueues queues;
    private final Relay relay;
    private final RedisWorker worker;

    private TicketsWorker(TicketsConfig config) {
        this.database = Database.open(config.databaseUrl(), TicketsWorker.class);
        this.queues = RedisQueues.connect(config.redis(), config.prefix());
        DeadLetterStore deadLetters = new JdbiDeadLetterStore(database.jdbi());
        this.office = new TicketOffice(database.jdbi(), new JdbiOutboxWriter(), config.hold());
        warmUp();
        RedisJobQueue release = queues.queue(TicketsQueue.RELEASE);
        this.relay = Relay.builder(new JdbiOutboxStore(database.jdbi()), TicketsQueue.routes(release))
                .deadLetters(deadLetters)
                .start();
        this.worker = RedisWorker.builder(release)
                .retry(TicketsQueue.retry(config.retryFactor()))
                .lease(config.lease())
                .deadLetters(deadLetters)
                .handle(TicketsQueue.RELEASE_ORDER, this::release)
                .start();
    }

    private void release(Job job) {
        office.release(job.payload(Order.Held.class).orderId());
    }

    /** A first run for an order that is not there: it loads what a run needs, so that no order is late for that. */
    private void warmUp() {
        release(new Job(TicketsQueue.RELEASE, "0", TicketsQueue.RELEASE_ORDER, NOBODY, Map.of(), Instant.EPOCH, 1, 1));
    }

    /** Starts it. */
    public static TicketsWorker start(TicketsConfig config) {
        return new TicketsWorker(config);
    }

    /** Runs it as a process of its own; see {@link TicketsConfig#from}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ServiceMain.run(environment -> {
            TicketsWorker worker = start(TicketsConfig.from(environment));
            System.out.println("The ticket office's worker is running");
            return worker;
        });
    }

    /** Stops gracefully: first the relay, so that no new work arrives; then the worker; last the connections of both. */
    @Override
    public void close() {
        relay.close();
        worker.close();
        queues.close();
        database.close();
    }
}
