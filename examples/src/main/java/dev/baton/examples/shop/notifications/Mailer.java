package dev.baton.examples.shop.notifications;

import java.io.IOException;
import java.util.UUID;

/** The port behind which a mail service sits. */
public interface Mailer {
    /**
     * Sends the confirmation of an order.
     *
     * @param idempotencyKey by which the service recognises a repeat and sends nothing
     */
    void sendConfirmation(UUID orderId, String customerId, String idempotencyKey)
            throws IOException, InterruptedException;
}
