package dev.baton.examples.shop;

import dev.baton.deadletter.DeadLetterStore;
import dev.baton.examples.service.Database;
import dev.baton.examples.service.ServiceMain;
import dev.baton.examples.shop.loyalty.LoyaltyService;
import dev.baton.examples.shop.notifications.HttpMailer;
import dev.baton.examples.shop.notifications.NotificationsService;
import dev.baton.examples.shop.orders.Order;
import dev.baton.examples.shop.payments.HttpPaymentGateway;
import dev.baton.examples.shop.payments.Payment;
import dev.baton.examples.shop.payments.PaymentRepository;
import dev.baton.examples.shop.payments.PaymentsService;
import dev.baton.examples.shop.shipping.HttpCarrier;
import dev.baton.examples.shop.shipping.ShippingService;
import dev.baton.examples.web.JsonClient;
import dev.baton.failure.RetryPolicy;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.job.JobHandler;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.redis.RedisWorkerBuilder;
import dev.baton.redis.RedisWorkers;
import dev.baton.relay.Relay;
import java.io.IOException;
import org.jdbi.v3.core.Jdbi;

/**
 * Everything that happens after the commit: the relay and the workers of the four queues. Any number of these
 * processes may run; each can be killed at any moment, and the others take over.
 */
public final class ShopWorker implements AutoCloseable {
    private final ShopConfig config;
    private final ShopProbe probe;
    private final Database database;
    private final RedisQueues queues;
    private final Relay relay;
    private final RedisWorkers workers;

    private ShopWorker(ShopConfig config, ShopProbe probe) {
        this.config = config;
        this.probe = probe;
        this.database = Database.open(config.databaseUrl(), ShopApi.class);
        this.queues = RedisQueues.connect(config.redis(), config.prefix());
        this.relay = Relay.builder(new JdbiOutboxStore(database.jdbi()), ShopRoutes.over(queues::queue))
                .deadLetters(new JdbiDeadLetterStore(database.jdbi()))
                .start();
        JsonClient foreign = new JsonClient(config.foreignServices(), ShopConfig.CALL_TIMEOUT);
        this.workers = RedisWorkers.of(payments(foreign), notifications(foreign), shipping(foreign), loyalty());
    }

    /** Starts it. */
    public static ShopWorker start(ShopConfig config) {
        return start(config, ShopProbe.NONE);
    }

    /** Starts it, watched. */
    public static ShopWorker start(ShopConfig config, ShopProbe probe) {
        return new ShopWorker(config, probe);
    }

    /** Runs it as a process of its own; see {@link ShopConfig#from}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ServiceMain.run(environment -> {
            ShopWorker worker = start(ShopConfig.from(environment));
            System.out.println("The shop's workers are running");
            return worker;
        });
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
        workers.close();
        queues.close();
        database.close();
    }

    private RedisWorker payments(JsonClient foreign) {
        Jdbi jdbi = database.jdbi();
        PaymentRepository repository = new PaymentRepository(new JdbiOutboxWriter(this::committed));
        PaymentsService service = new PaymentsService(jdbi, repository, new HttpPaymentGateway(foreign));
        return worker(ShopQueues.PAYMENTS)
                // Money is worth more attempts; the starts end a job that the gateway throttles for ever.
                .retry(RetryPolicy.DEFAULT.withAttempts(12).withMaxStarts(50))
                .handle(
                        ShopQueues.CAPTURE_PAYMENT,
                        watched(job -> service.captureForOrder(
                                job.payload(Order.Placed.class).orderId())))
                .handle(
                        ShopQueues.VOID_AUTHORIZATION,
                        watched(job -> service.voidForOrder(
                                job.payload(Order.Cancelled.class).orderId())))
                .start();
    }

    private RedisWorker notifications(JsonClient foreign) {
        NotificationsService service = new NotificationsService(new HttpMailer(foreign));
        return worker(ShopQueues.NOTIFICATIONS)
                .handle(ShopQueues.ORDER_CONFIRMATION, watched(job -> {
                    Order.Placed order = job.payload(Order.Placed.class);
                    service.confirm(job.messageId(), order.orderId(), order.customerId());
                }))
                .start();
    }

    private RedisWorker shipping(JsonClient foreign) {
        ShippingService service = new ShippingService(database.jdbi(), new HttpCarrier(foreign));
        return worker(ShopQueues.SHIPPING)
                // No more calls at once than the carrier bears.
                .concurrency(4)
                .handle(
                        ShopQueues.CREATE_SHIPMENT,
                        watched(job -> service.createForOrder(
                                job.payload(Payment.Captured.class).orderId())))
                .start();
    }

    private RedisWorker loyalty() {
        LoyaltyService service = new LoyaltyService(database.jdbi());
        return worker(ShopQueues.LOYALTY)
                .handle(ShopQueues.AWARD_POINTS, watched(job -> {
                    Payment.Captured payment = job.payload(Payment.Captured.class);
                    service.awardPoints(job.messageId(), payment.customerId(), payment.amount());
                }))
                .start();
    }

    private RedisWorkerBuilder worker(String queue) {
        DeadLetterStore deadLetters = new JdbiDeadLetterStore(database.jdbi());
        return RedisWorker.builder(queues.queue(queue))
                .concurrency(10)
                .retry(RetryPolicy.DEFAULT.withAttempts(8))
                .lease(config.lease())
                .deadLetters(deadLetters);
    }

    private JobHandler watched(JobHandler handler) {
        return job -> {
            probe.started(job);
            handler.handle(job);
        };
    }

    private void committed() {
        probe.committed();
        relay.nudge();
    }
}
