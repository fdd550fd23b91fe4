package dev.baton.examples.shop.payments;

import dev.baton.failure.PermanentException;
import java.io.IOException;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What jobs do with the money of an order. Everything here may be run again, at any time, from the beginning. */
public final class PaymentsService {
    private static final Logger log = LoggerFactory.getLogger(PaymentsService.class);

    private final Jdbi jdbi;
    private final PaymentRepository payments;
    private final PaymentGateway gateway;

    /** A service on these. */
    public PaymentsService(Jdbi jdbi, PaymentRepository payments, PaymentGateway gateway) {
        this.jdbi = jdbi;
        this.payments = payments;
        this.gateway = gateway;
    }

    /**
     * Takes the money of an order, in four steps.
     *
     * <p><b>Delivery.</b> A crash between the third and the fourth leaves money taken and no record of it; the next run
     * finds the capture in the second step and goes on from there. The event is written once, with the record.
     *
     * @throws PermanentException if there is no such payment, or the gateway gave the reservation up
     */
    public void captureForOrder(UUID orderId) throws IOException, InterruptedException {
        // 1. Did an earlier run finish, or was the order cancelled? Then there is nothing left to do.
        Payment payment = find(orderId);
        if (payment.status() != Payment.Status.AUTHORIZED) {
            return;
        }
        // 2. Did an earlier run die after the capture and before step 4? Only the gateway knows.
        Authorization remote = gateway.find(payment.authorizationId());
        String captureId = remote.captureId();
        if (captureId == null) {
            captureId = capture(payment, remote);
        }
        // 4. The result and the next event, in one transaction: the outbox again.
        record(payment, captureId);
    }

    /**
     * Gives back the reservation of a cancelled order.
     *
     * @throws PermanentException if the money was taken in the moment of the cancellation: a person decides on a refund
     */
    public void voidForOrder(UUID orderId) throws IOException, InterruptedException {
        Payment payment = find(orderId);
        if (payment.status() != Payment.Status.VOIDING) {
            return;
        }
        switch (gateway.find(payment.authorizationId()).status()) {
            case CAPTURED ->
                throw new PermanentException("order " + orderId + " is cancelled, but its payment captured");
            case AUTHORIZED -> gateway.voidAuthorization(payment.authorizationId(), "void-" + orderId);
            case VOIDED, EXPIRED -> log.debug("the gateway has given up the reservation of order {}", orderId);
        }
        if (jdbi.inTransaction(transaction -> payments.markVoided(transaction, orderId))) {
            log.info("payment of order {} voided", orderId);
        }
    }

    private String capture(Payment payment, Authorization remote) throws IOException, InterruptedException {
        if (remote.status() != Authorization.Status.AUTHORIZED) {
            throw new PermanentException("the authorization of order " + payment.orderId() + " is " + remote.status());
        }
        // 3. The key says what is meant, so that every run means the same capture, also two at the same time.
        return gateway.capture(payment.authorizationId(), payment.amount(), "capture-" + payment.orderId());
    }

    private void record(Payment payment, String captureId) {
        if (jdbi.inTransaction(transaction -> payments.markCaptured(transaction, payment, captureId))) {
            log.info("payment of order {} captured", payment.orderId());
        }
    }

    private Payment find(UUID orderId) {
        return jdbi.withHandle(handle -> payments.find(handle, orderId))
                .orElseThrow(() -> new PermanentException("there is no payment for order " + orderId));
    }
}
