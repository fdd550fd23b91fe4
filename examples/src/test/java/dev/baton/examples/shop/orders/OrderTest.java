package dev.baton.examples.shop.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.outbox.Event;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OrderTest {
    private static final UUID ID = UUID.fromString("00000000-0000-4000-8000-000000000001");

    @Test
    void placing_an_order_records_one_event_about_it() {
        Order order = Order.place(ID, "customer-1", 250_000);

        assertThat(order.pullEvents()).singleElement().satisfies(event -> {
            assertThat(event.topic()).isEqualTo("order.placed");
            assertThat(event.aggregateId()).isEqualTo(ID.toString());
            assertThat(event.payload()).contains(ID.toString(), "customer-1", "250000");
        });
    }

    @Test
    void an_event_is_handed_out_once() {
        Order order = Order.place(ID, "customer-1", 250_000);
        order.pullEvents();

        assertThat(order.pullEvents()).isEmpty();
    }

    @Test
    void an_order_as_it_is_in_the_database_has_no_events() {
        assertThat(Order.restore(ID, "customer-1", 250_000, Order.Status.PLACED).pullEvents())
                .isEmpty();
    }

    @Test
    void cancelling_twice_records_one_event() {
        Order order = Order.restore(ID, "customer-1", 250_000, Order.Status.PLACED);
        order.cancel();
        order.cancel();

        assertThat(order.status()).isEqualTo(Order.Status.CANCELLED);
        assertThat(order.pullEvents()).extracting(Event::topic).containsExactly("order.cancelled");
    }

    @Test
    void an_order_for_nothing_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Order.place(ID, "customer-1", 0))
                .withMessageContaining("amount is 0");
    }
}
