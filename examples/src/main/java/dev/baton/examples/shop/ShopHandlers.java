package dev.baton.examples.shop;

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
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.job.JobHandler;
import dev.baton.redis.RedisWorkerBuilder;
import org.jdbi.v3.core.Jdbi;

/** Which code runs which job: reads the job, calls the service. What the service throws says what becomes of the job. */
final class ShopHandlers {
    private final PaymentsService payments;
    private final NotificationsService notifications;
    private final ShippingService shipping;
    private final LoyaltyService loyalty;
    private final ShopMaintenance maintenance;
    private final ShopProbe probe;

    ShopHandlers(Jdbi jdbi, JsonClient foreign, JdbiOutboxWriter outbox, ShopMaintenance maintenance, ShopProbe probe) {
        this.payments = new PaymentsService(jdbi, new PaymentRepository(outbox), new HttpPaymentGateway(foreign));
        this.notifications = new NotificationsService(new HttpMailer(foreign));
        this.shipping = new ShippingService(jdbi, new HttpCarrier(foreign));
        this.loyalty = new LoyaltyService(jdbi);
        this.maintenance = maintenance;
        this.probe = probe;
    }

    /** Adds the handlers of this queue. */
    RedisWorkerBuilder addTo(String queue, RedisWorkerBuilder worker) {
        return switch (queue) {
            case ShopQueues.PAYMENTS -> payments(worker);
            case ShopQueues.NOTIFICATIONS -> notifications(worker);
            case ShopQueues.SHIPPING -> shipping(worker);
            case ShopQueues.LOYALTY -> loyalty(worker);
            case ShopQueues.MAINTENANCE -> worker.handle(ShopQueues.CLEAN_UP, job -> maintenance.cleanUp());
            default -> throw new IllegalArgumentException("nobody handles the jobs of " + queue);
        };
    }

    private RedisWorkerBuilder payments(RedisWorkerBuilder worker) {
        return worker.handle(
                        ShopQueues.CAPTURE_PAYMENT,
                        watched(job -> payments.captureForOrder(
                                job.payload(Order.Placed.class).orderId())))
                .handle(
                        ShopQueues.VOID_AUTHORIZATION,
                        watched(job -> payments.voidForOrder(
                                job.payload(Order.Cancelled.class).orderId())));
    }

    private RedisWorkerBuilder notifications(RedisWorkerBuilder worker) {
        return worker.handle(ShopQueues.ORDER_CONFIRMATION, watched(job -> {
            Order.Placed order = job.payload(Order.Placed.class);
            notifications.confirm(job.messageId(), order.orderId(), order.customerId());
        }));
    }

    private RedisWorkerBuilder shipping(RedisWorkerBuilder worker) {
        return worker.handle(
                ShopQueues.CREATE_SHIPMENT,
                watched(job -> shipping.createForOrder(
                        job.payload(Payment.Captured.class).orderId())));
    }

    private RedisWorkerBuilder loyalty(RedisWorkerBuilder worker) {
        return worker.handle(ShopQueues.AWARD_POINTS, watched(job -> {
            Payment.Captured payment = job.payload(Payment.Captured.class);
            loyalty.awardPoints(job.messageId(), payment.customerId(), payment.amount());
        }));
    }

    private JobHandler watched(JobHandler handler) {
        return job -> {
            probe.started(job);
            handler.handle(job);
        };
    }
}
