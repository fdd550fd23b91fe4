package dev.baton.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.baton.examples.sandbox.Fault;
import dev.baton.examples.shop.loyalty.LoyaltyService;
import dev.baton.examples.shop.notifications.HttpMailer;
import dev.baton.examples.shop.notifications.NotificationsService;
import dev.baton.examples.shop.orders.Order;
import dev.baton.examples.shop.shipping.HttpCarrier;
import dev.baton.examples.shop.shipping.ShippingService;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What placing, shipping, rewarding and confirming leave behind when something goes wrong in the middle. */
class EffectsIT {
    private final ShopFixture shop = new ShopFixture();

    EffectsIT() throws IOException {}

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void rollback_of_the_business_transaction_leaves_no_order_and_no_event() {
        Order order = Order.place(UUID.randomUUID(), "customer-1", 250_000);

        assertThatThrownBy(() -> shop.jdbi().useTransaction(transaction -> {
                    shop.orderRepository.save(transaction, order);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(shop.rows("orders")).isZero();
        assertThat(shop.rows("outbox_events")).isZero();
    }

    @Test
    void an_order_its_payment_and_its_event_appear_together() throws Exception {
        shop.placeOrder();

        assertThat(shop.rows("orders")).isEqualTo(1);
        assertThat(shop.rows("payments")).isEqualTo(1);
        assertThat(shop.events("order.placed")).isEqualTo(1);
    }

    @Test
    void a_shipment_whose_answer_was_lost_is_found_by_its_reference() throws Exception {
        UUID order = shop.placeOrder();
        ShippingService shipping = new ShippingService(shop.jdbi(), new HttpCarrier(shop.foreign));
        shop.faults.plan("POST /shipments", Fault.ANSWER_LOST);

        assertThatExceptionOfType(IOException.class).isThrownBy(() -> shipping.createForOrder(order));
        assertThat(shop.rows("shipments")).isZero();
        shipping.createForOrder(order);
        shipping.createForOrder(order);

        assertThat(shop.sandbox.effects().shipments()).containsOnly(entry(order.toString(), 1));
        assertThat(shop.rows("shipments")).isEqualTo(1);
    }

    @Test
    void points_awarded_twice_for_one_event_are_added_once() {
        LoyaltyService loyalty = new LoyaltyService(shop.jdbi());

        loyalty.awardPoints("event-1", "customer-1", 259_999);
        loyalty.awardPoints("event-1", "customer-1", 259_999);
        assertThat(points()).isEqualTo(25);

        loyalty.awardPoints("event-2", "customer-1", 10_000);
        assertThat(points()).isEqualTo(26);
    }

    @Test
    void a_confirmation_whose_answer_was_lost_is_one_mail() throws Exception {
        UUID order = UUID.randomUUID();
        NotificationsService notifications = new NotificationsService(new HttpMailer(shop.foreign));
        shop.faults.plan("POST /messages", Fault.ANSWER_LOST);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> notifications.confirm("event-1", order, "customer-1"));
        notifications.confirm("event-1", order, "customer-1");

        assertThat(shop.sandbox.effects().mails()).containsOnly(entry(order.toString(), 1));
    }

    private long points() {
        return shop.jdbi()
                .withHandle(handle -> handle.createQuery(
                                "SELECT points FROM loyalty_accounts WHERE customer_id = 'customer-1'")
                        .mapTo(Long.class)
                        .one());
    }
}
