package dev.baton.examples.shop.loyalty;

import dev.baton.idempotency.Guard;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Awards points. */
public final class LoyaltyService {
    /** One point for so many đồng; the rest is dropped. */
    public static final long AMOUNT_PER_POINT = 10_000;

    private static final Logger log = LoggerFactory.getLogger(LoyaltyService.class);

    // An upsert: a customer's first order finds no account, and an UPDATE would lose its points without a word.
    private static final String ADD = """
        INSERT INTO loyalty_accounts (customer_id, points) VALUES (?, ?)
        ON CONFLICT (customer_id) DO UPDATE SET points = loyalty_accounts.points + excluded.points\
        """;

    private final Jdbi jdbi;
    private final Guard guard = Guard.forConsumer("loyalty.award-points");

    /** A service on this. */
    public LoyaltyService(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /**
     * Adds the points of one payment.
     *
     * <p><b>Delivery.</b> The guard's mark and the points are one transaction: a crash leaves both or neither, and a
     * repeat of the event adds nothing.
     */
    public void awardPoints(String eventId, String customerId, long amount) {
        long points = amount / AMOUNT_PER_POINT;
        boolean added = jdbi.inTransaction(
                transaction -> guard.once(transaction, eventId, () -> transaction.execute(ADD, customerId, points)));
        if (added) {
            log.info("points of event {} awarded", eventId);
        }
    }
}
