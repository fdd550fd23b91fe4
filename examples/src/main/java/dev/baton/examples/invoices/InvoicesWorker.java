package dev.baton.examples.invoices;

import dev.baton.deadletter.DeadLetterStore;
import dev.baton.examples.service.Database;
import dev.baton.examples.service.ServiceMain;
import dev.baton.examples.web.JsonClient;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.job.Job;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisSignal;
import dev.baton.redis.RedisWorker;
import dev.baton.redis.RedisWorkerBuilder;
import dev.baton.redis.RedisWorkers;
import dev.baton.relay.Relay;
import java.io.IOException;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/**
 * Everything that happens after the commit: the relay, the workers of all partitions, and the schedule. Any number of these
 * processes may run; each can be killed at any moment, and the others take over.
 */
public final class InvoicesWorker implements AutoCloseable {
    /** Ending claims is quick work. */
    private static final int CLAIM_EXPIRY_CONCURRENCY = 3;

    private final InvoicesConfig config;
    private final Database database;
    private final RedisQueues redis;
    private final InvoiceQueues queues;
    private final ProviderSettings providers;
    private final Relay relay;
    private final RedisSignal signal;
    private final RedisWorkers issuance;
    private final RedisWorkers claimExpiry;
    private final RedisWorker pickUp;

    private InvoicesWorker(InvoicesConfig config) {
        this.config = config;
        this.database = Database.open(config.databaseUrl(), InvoicesWorker.class);
        this.redis = RedisQueues.connect(config.redis(), config.prefix());
        this.queues = new InvoiceQueues(redis);
        this.providers = ProviderSettings.read(database.jdbi(), config.retryFactor());
        this.relay = Relay.builder(new JdbiOutboxStore(database.jdbi()), queues.routes(providers))
                .deadLetters(new JdbiDeadLetterStore(database.jdbi()))
                .start();
        // The API is another process; it tells us when it has committed something.
        this.signal = redis.signal("outbox").listen(relay::nudge);
        this.issuance = queues.issuance().startWorkers(this::issuance);
        this.claimExpiry = queues.claimExpiry().startWorkers(this::claimExpiry);
        this.pickUp = pickUp();
    }

    /** Starts it. */
    public static InvoicesWorker start(InvoicesConfig config) {
        return new InvoicesWorker(config);
    }

    /** Runs it as a process of its own; see {@link InvoicesConfig#from}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ServiceMain.run(environment -> {
            InvoicesWorker worker = start(InvoicesConfig.from(environment));
            System.out.println("The invoice service's workers are running");
            return worker;
        });
    }

    /** Stops gracefully: first what brings new work, then the workers, last the connections of all. */
    @Override
    public void close() {
        signal.close();
        relay.close();
        pickUp.close();
        issuance.close();
        claimExpiry.close();
        redis.close();
        database.close();
    }

    private void issuance(RedisWorkerBuilder worker) {
        Jdbi jdbi = database.jdbi();
        Issuance issuer = new Issuance(
                jdbi, new HttpInvoiceProvider(new JsonClient(config.provider(), InvoicesConfig.CALL_TIMEOUT)));
        // How often a job is tried is in the job itself: its provider's settings.
        worker.concurrency(config.concurrency())
                .lease(config.lease())
                .deadLetters(new FailedInvoices(jdbi, new JdbiDeadLetterStore(jdbi)))
                .handle(InvoiceQueues.ISSUE, job -> issuer.issue(orderId(job), job.attempt()))
                .handle(InvoiceQueues.CANCEL, job -> issuer.cancel(orderId(job)));
    }

    private void claimExpiry(RedisWorkerBuilder worker) {
        InvoiceDesk desk = new InvoiceDesk(database.jdbi(), new JdbiOutboxWriter(relay::nudge), config.claim());
        worker.concurrency(CLAIM_EXPIRY_CONCURRENCY)
                .lease(config.lease())
                .deadLetters(new JdbiDeadLetterStore(database.jdbi()))
                .handle(InvoiceQueues.EXPIRE_CLAIM, job -> desk.expireClaim(orderId(job)));
    }

    private RedisWorker pickUp() {
        DeadLetterStore letters = new JdbiDeadLetterStore(database.jdbi());
        PendingPickup pending = new PendingPickup(database.jdbi(), queues, providers);
        queues.pickUp().schedules().upsert(PendingPickup.schedule(config.schedule()));
        return RedisWorker.builder(queues.pickUp())
                .concurrency(1)
                .lease(config.lease())
                .deadLetters(letters)
                .handle(InvoiceQueues.PICK_UP, job -> pending.pickUp())
                .start();
    }

    private static UUID orderId(Job job) {
        return job.payload(Invoice.Requested.class).orderId();
    }
}
