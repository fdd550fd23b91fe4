package dev.baton.examples.shop.notifications;

import java.io.IOException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells customers. */
public final class NotificationsService {
    private static final Logger log = LoggerFactory.getLogger(NotificationsService.class);

    private final Mailer mailer;

    /** A service on this. */
    public NotificationsService(Mailer mailer) {
        this.mailer = mailer;
    }

    /**
     * Confirms an order.
     *
     * <p><b>Delivery.</b> We keep no record: a crash after the mail makes the job run again, and the mail service
     * drops the repeat because the event's id is the same.
     */
    public void confirm(String eventId, UUID orderId, String customerId) throws IOException, InterruptedException {
        mailer.sendConfirmation(orderId, customerId, eventId);
        log.info("order {} confirmed", orderId);
    }
}
