package dev.baton.examples.tickets;

import dev.baton.examples.tickets.OrderRepository.Hold;
import dev.baton.failure.RetryLaterException;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What customers do with seats, and what becomes of those that nobody pays for. Each change is one transaction. */
public final class TicketOffice {
    private static final Logger log = LoggerFactory.getLogger(TicketOffice.class);

    private final Jdbi jdbi;
    private final OutboxWriter<Handle> outbox;
    private final Duration hold;
    private final OrderRepository orders = new OrderRepository();
    private final SeatRepository seats = new SeatRepository();

    /** @param hold how long seats stay locked for an order that is not paid */
    public TicketOffice(Jdbi jdbi, OutboxWriter<Handle> outbox, Duration hold) {
        this.jdbi = jdbi;
        this.outbox = outbox;
        this.hold = hold;
    }

    /**
     * Locks these seats for a new order.
     *
     * <p><b>Delivery.</b> Order, seats and event are one transaction: a crash leaves all or nothing, and what is locked is
     * released in time, whatever crashes then.
     *
     * @throws SeatsTakenException if one of them is not free; nothing has changed then
     */
    public Receipt book(String customerId, Set<String> wanted) {
        return jdbi.inTransaction(transaction -> held(transaction, orders.open(transaction, customerId, hold), wanted));
    }

    /**
     * Exchanges the seats of an order, whose hold begins anew. The event of the old hold is on its way and cannot be called
     * back; {@link #release} finds that it came too early.
     *
     * @return nothing, if the order is not pending any more
     * @throws SeatsTakenException if one of the seats is not free; nothing has changed then
     */
    public Optional<Receipt> replace(long orderId, Set<String> wanted) {
        return jdbi.inTransaction(transaction -> open(transaction, orderId)
                .map(order -> held(transaction, orders.extend(transaction, orderId, hold), wanted)));
    }

    /** Sells the seats of an order; false if it is not pending any more. */
    public boolean pay(long orderId) {
        return ifOpen(orderId, transaction -> {
            seats.sell(transaction, orderId);
            orders.pay(transaction, orderId);
        });
    }

    /** Frees the seats of an order; false if it is not pending any more. */
    public boolean cancel(long orderId) {
        return ifOpen(orderId, transaction -> {
            seats.release(transaction, orderId);
            orders.cancel(transaction, orderId, false);
        });
    }

    /** Frees the seats of an order and forgets that there was one; false if it is not pending any more. */
    public boolean delete(long orderId) {
        return ifOpen(orderId, transaction -> {
            seats.release(transaction, orderId);
            orders.delete(transaction, orderId);
        });
    }

    /**
     * Frees the seats of an order that was not paid in time. What the job says is only which order to look at: the truth is
     * in the database, under a lock of the order's row.
     *
     * <p><b>Delivery.</b> The guards make any number of runs as good as one. A crash leaves all or nothing.
     *
     * @throws RetryLaterException if the hold is not over yet
     */
    public void release(long orderId) {
        jdbi.useTransaction(transaction -> {
            Order order = orders.findForUpdate(transaction, orderId).orElse(null);
            // Guard 1: it was deleted.
            if (order == null) {
                return;
            }
            // Guard 2: it was paid or cancelled, perhaps by an earlier run of this job.
            if (order.status() != Order.Status.PENDING) {
                return;
            }
            // Guard 3: a newer hold replaced this one. Its own job will come; but were it only that the clock of Redis
            // is ahead of the database's, this one would be the last. So it comes again rather than being done.
            if (!order.expired()) {
                throw new RetryLaterException(order.left(), "the hold of order " + orderId + " is not over");
            }
            seats.release(transaction, orderId);
            orders.cancel(transaction, orderId, true);
            transaction.afterCommit(() -> log.info("order {} expired, its seats are free", orderId));
        });
    }

    /** The order as it stands. */
    public Optional<Order> find(long orderId) {
        return jdbi.withHandle(handle -> orders.find(handle, orderId));
    }

    /** Puts seats up for sale. */
    public void open(Collection<String> more) {
        jdbi.useTransaction(transaction -> seats.add(transaction, more));
    }

    private Receipt held(Handle transaction, Hold held, Set<String> wanted) {
        if (!seats.lock(transaction, wanted, held.orderId())) {
            throw new SeatsTakenException();
        }
        outbox.write(
                transaction,
                Event.of(TicketsTopic.ORDER_HELD, held.orderId(), new Order.Held(held.orderId()))
                        .notBefore(held.expiresAt()));
        return new Receipt(held.orderId(), held.expiresAt());
    }

    private boolean ifOpen(long orderId, Consumer<Handle> change) {
        return jdbi.inTransaction(transaction -> {
            Optional<Order> order = open(transaction, orderId);
            order.ifPresent(pending -> change.accept(transaction));
            return order.isPresent();
        });
    }

    /** A customer's order, locked, if it is pending: one that expired is lost, also before its release. */
    private Optional<Order> open(Handle transaction, long orderId) {
        return orders.findForUpdate(transaction, orderId)
                .filter(order -> order.status() == Order.Status.PENDING && !order.expired());
    }
}
