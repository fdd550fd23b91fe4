package dev.baton.examples.tickets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.examples.demo.DemoServers;
import dev.baton.examples.service.Database;
import dev.baton.failure.RetryLaterException;
import dev.baton.jdbi.JdbiOutboxWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TicketOfficeIT {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Database database = Database.open(DemoServers.freshDatabaseUrl(), TicketsWorker.class);
    private final TicketOffice office = new TicketOffice(database.jdbi(), new JdbiOutboxWriter(), LONG);
    /** Its holds are over at once. */
    private final TicketOffice hasty = new TicketOffice(database.jdbi(), new JdbiOutboxWriter(), Duration.ZERO);

    @BeforeEach
    void open() {
        office.open(List.of("a", "b", "c"));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void an_order_whose_hold_is_over_is_cancelled_and_its_seats_are_free() {
        long order = hasty.book("ann", Set.of("a", "b")).id();

        office.release(order);

        assertThat(status(order)).isEqualTo(Order.Status.CANCELLED);
        assertThat(free()).containsExactly("a", "b", "c");
    }

    @Test
    void guard_1_an_order_that_is_gone_is_no_error() {
        office.release(17);

        assertThat(free()).containsExactly("a", "b", "c");
    }

    @Test
    void guard_2_an_order_that_was_paid_keeps_its_seats() {
        long order = office.book("ann", Set.of("a", "b")).id();
        assertThat(office.pay(order)).isTrue();
        holdIsOver(order);

        office.release(order);

        assertThat(status(order)).isEqualTo(Order.Status.PAID);
        assertThat(free()).containsExactly("c");
    }

    @Test
    void guard_2_a_second_run_changes_nothing_and_frees_nothing_that_somebody_else_has_booked_since() {
        long order = hasty.book("ann", Set.of("a")).id();
        office.release(order);
        String closedAt = closedAt(order);
        office.book("bob", Set.of("a"));

        office.release(order);

        assertThat(free()).containsExactly("b", "c");
        assertThat(closedAt(order)).isEqualTo(closedAt);
    }

    @Test
    void guard_3_the_job_of_a_hold_that_was_replaced_comes_again_when_the_new_one_is_over() {
        long order = office.book("ann", Set.of("a")).id();
        assertThat(office.replace(order, Set.of("b"))).isPresent();

        assertThatExceptionOfType(RetryLaterException.class)
                .isThrownBy(() -> office.release(order))
                .satisfies(later -> assertThat(later.delay()).isBetween(LONG.minusMinutes(1), LONG));
        assertThat(free()).containsExactly("a", "c");

        holdIsOver(order);
        office.release(order);
        assertThat(free()).containsExactly("a", "b", "c");
    }

    @Test
    void an_order_whose_hold_is_over_cannot_be_paid_or_exchanged_also_before_its_release() {
        long order = hasty.book("ann", Set.of("a")).id();

        assertThat(office.pay(order)).isFalse();
        assertThat(office.replace(order, Set.of("b"))).isEmpty();
        assertThat(free()).containsExactly("b", "c");
    }

    @Test
    void a_cart_with_a_seat_that_is_taken_changes_nothing() {
        office.book("ann", Set.of("b"));
        long order = office.book("bob", Set.of("a")).id();

        assertThatThrownBy(() -> office.replace(order, Set.of("b", "c"))).isInstanceOf(SeatsTakenException.class);
        assertThatThrownBy(() -> office.book("cid", Set.of("a", "c"))).isInstanceOf(SeatsTakenException.class);

        assertThat(free()).containsExactly("c");
        assertThat(rows("orders")).isEqualTo(2);
        assertThat(rows("outbox_events")).isEqualTo(2);
    }

    @Test
    void of_two_buyers_who_want_a_seat_at_once_one_gets_it() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        Callable<Boolean> buyer = () -> {
            together.await();
            try {
                office.book("ann", Set.of("a", "b"));
                return true;
            } catch (SeatsTakenException e) {
                return false;
            }
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<Boolean>> both = threads.invokeAll(List.of(buyer, buyer));
            assertThat(List.of(both.get(0).get(), both.get(1).get())).containsExactlyInAnyOrder(true, false);
        } finally {
            threads.shutdownNow();
        }
    }

    private Order.Status status(long order) {
        return office.find(order).orElseThrow().status();
    }

    private String closedAt(long order) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT closed_at::text FROM orders WHERE id = ?")
                        .bind(0, order)
                        .mapTo(String.class)
                        .one());
    }

    private void holdIsOver(long order) {
        database.jdbi()
                .useHandle(handle ->
                        handle.execute("UPDATE orders SET expires_at = clock_timestamp() WHERE id = ?", order));
    }

    private List<String> free() {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT id FROM seats WHERE status = 'available' ORDER BY id")
                        .mapTo(String.class)
                        .list());
    }

    private int rows(String table) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT count(*) FROM " + table)
                        .mapTo(Integer.class)
                        .one());
    }
}
