package dev.baton.examples.invoices;

import dev.baton.examples.web.Json;
import dev.baton.job.NewJob;
import dev.baton.outbox.Event;
import dev.baton.redis.PartitionedQueue;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.relay.Route;
import dev.baton.relay.Routes;
import java.util.Arrays;
import java.util.List;

/** The queues of the invoice service, what goes there, and how often it is tried. */
public final class InvoiceQueues {
    /** Per kind of queue. An order is always in the same one, by Java's hash of its id. */
    public static final int PARTITIONS = 3;

    /** Calls the provider. */
    public static final String ISSUE = "issue";
    /** Calls off what was issued. */
    public static final String CANCEL = "cancel";
    /** Ends the time in which a buyer may claim an invoice. */
    public static final String EXPIRE_CLAIM = "expire-claim";
    /** Finds what the scheduled mode has to issue. */
    public static final String PICK_UP = "pick-up";

    private final PartitionedQueue issuance;
    private final PartitionedQueue claimExpiry;
    private final RedisJobQueue pickUp;

    /** The queues in this Redis. */
    public InvoiceQueues(RedisQueues redis) {
        this.issuance = redis.partitioned("issuance", PARTITIONS);
        this.claimExpiry = redis.partitioned("claim-expiry", PARTITIONS);
        this.pickUp = redis.queue("pick-up");
    }

    /** Jobs that talk to the provider. */
    public PartitionedQueue issuance() {
        return issuance;
    }

    /** Jobs that wait for the end of a claim. */
    public PartitionedQueue claimExpiry() {
        return claimExpiry;
    }

    /** Jobs of the schedule. */
    public RedisJobQueue pickUp() {
        return pickUp;
    }

    /**
     * All routes: issuance and cancellation share a queue and an ordering key, so the one runs behind the other. Issuances
     * are tried as often as their provider's settings say.
     */
    public Routes routes(ProviderSettings providers) {
        return Routes.of(InvoiceTopic.class, topic -> switch (topic) {
            case INVOICE_REQUESTED -> asSet(issuance.routes(ISSUE, Event::aggregateId), providers);
            case ORDER_CANCELLED -> asSet(issuance.routes(CANCEL, Event::aggregateId), providers);
            case CLAIM_OPENED -> List.of(claimExpiry.routes(EXPIRE_CLAIM, Event::aggregateId));
        });
    }

    /**
     * The job that issues an invoice, for what comes without an event. Its id is the order's, as is that of one that comes
     * with an event: while one of them is alive, the other is a duplicate.
     */
    public NewJob issueJob(Invoice.Requested request, ProviderSettings providers) {
        String orderId = request.orderId().toString();
        NewJob job = NewJob.of(ISSUE, request).withId(orderId).orderedBy(orderId);
        var policy = providers.retry(request.provider());
        return policy == null ? job : job.retry(policy);
    }

    private static List<Route> asSet(Route[] routes, ProviderSettings providers) {
        return Arrays.stream(routes)
                .map(route -> route.retryBy(event -> providers.retry(
                        Json.read(event.payload(), Invoice.Requested.class).provider())))
                .toList();
    }
}
