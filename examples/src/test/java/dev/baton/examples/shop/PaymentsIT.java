package dev.baton.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.baton.examples.sandbox.Fault;
import dev.baton.examples.shop.orders.OrdersService.Cancellation;
import dev.baton.examples.shop.payments.HttpPaymentGateway;
import dev.baton.examples.shop.payments.Payment;
import dev.baton.examples.shop.payments.PaymentRepository;
import dev.baton.examples.shop.payments.PaymentsService;
import dev.baton.failure.PermanentException;
import dev.baton.failure.ThrottledException;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PaymentsIT {
    private static final String CAPTURE = "POST /authorizations/{id}/capture";

    private final ShopFixture shop = new ShopFixture();

    PaymentsIT() throws IOException {}

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void capturing_twice_takes_the_money_once_and_emits_one_event() throws Exception {
        UUID order = shop.placeOrder();

        shop.payments.captureForOrder(order);
        shop.payments.captureForOrder(order);

        assertCapturedOnce(order);
    }

    @Test
    void after_a_lost_answer_the_money_is_not_taken_again() throws Exception {
        UUID order = shop.placeOrder();
        shop.faults.plan(CAPTURE, Fault.ANSWER_LOST);

        assertThatExceptionOfType(IOException.class).isThrownBy(() -> shop.payments.captureForOrder(order));
        assertThat(shop.payment(order).status()).isEqualTo(Payment.Status.AUTHORIZED);
        shop.payments.captureForOrder(order);

        assertCapturedOnce(order);
    }

    @Test
    void death_after_the_capture_and_before_the_write_does_not_capture_again() throws Exception {
        UUID order = shop.placeOrder();
        PaymentRepository dying = new PaymentRepository((transaction, events) -> {
            throw new IllegalStateException("died before the commit");
        });
        PaymentsService doomed = new PaymentsService(shop.jdbi(), dying, new HttpPaymentGateway(shop.foreign));

        assertThatThrownBy(() -> doomed.captureForOrder(order)).hasMessage("died before the commit");
        assertThat(shop.payment(order).status()).isEqualTo(Payment.Status.AUTHORIZED);
        shop.payments.captureForOrder(order);

        assertCapturedOnce(order);
    }

    @Test
    void two_captures_at_once_take_the_money_once_and_emit_one_event() throws Exception {
        UUID order = shop.placeOrder();
        CyclicBarrier together = new CyclicBarrier(2);
        Callable<Boolean> capture = () -> {
            together.await();
            shop.payments.captureForOrder(order);
            return true;
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Boolean> done : threads.invokeAll(List.of(capture, capture))) {
                assertThat(done.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }

        assertCapturedOnce(order);
    }

    @Test
    void of_two_runs_that_both_saw_it_authorized_only_the_first_records_the_capture() throws Exception {
        UUID order = shop.placeOrder();
        Payment seenByBoth = shop.payment(order);

        assertThat(markCaptured(seenByBoth, "capture-1")).isTrue();
        assertThat(markCaptured(seenByBoth, "capture-2")).isFalse();

        assertThat(shop.payment(order).captureId()).isEqualTo("capture-1");
        assertThat(shop.events("payment.captured")).isEqualTo(1);
    }

    @Test
    void a_spent_quota_throttles_the_queue() throws Exception {
        UUID order = shop.placeOrder();
        shop.faults.plan(CAPTURE, Fault.TOO_MANY_REQUESTS);

        assertThatExceptionOfType(ThrottledException.class)
                .isThrownBy(() -> shop.payments.captureForOrder(order))
                .satisfies(throttled -> assertThat(throttled.retryAfter()).hasSeconds(1));
    }

    @Test
    void an_unknown_order_is_a_permanent_failure() {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> shop.payments.captureForOrder(UUID.randomUUID()));
    }

    @Test
    void a_cancelled_order_is_voided_once_and_never_captured() throws Exception {
        UUID order = shop.placeOrder();
        assertThat(shop.orders.cancel(order)).isEqualTo(Cancellation.CANCELLED);

        shop.payments.captureForOrder(order);
        shop.payments.voidForOrder(order);
        shop.payments.voidForOrder(order);

        assertThat(shop.payment(order).status()).isEqualTo(Payment.Status.VOIDED);
        assertThat(shop.sandbox.effects().captures()).isEmpty();
        assertThat(shop.events("order.cancelled")).isEqualTo(1);
    }

    @Test
    void a_captured_order_cannot_be_cancelled() throws Exception {
        UUID order = shop.placeOrder();
        shop.payments.captureForOrder(order);

        assertThat(shop.orders.cancel(order)).isEqualTo(Cancellation.TOO_LATE);
        assertThat(shop.events("order.cancelled")).isZero();
    }

    private boolean markCaptured(Payment payment, String captureId) {
        return shop.jdbi()
                .inTransaction(transaction -> shop.paymentRepository.markCaptured(transaction, payment, captureId));
    }

    private void assertCapturedOnce(UUID order) {
        assertThat(shop.sandbox.effects().captures()).containsOnly(entry(order.toString(), 1));
        assertThat(shop.sandbox.effects().money()).containsOnly(entry(order.toString(), 250_000L));
        assertThat(shop.payment(order).status()).isEqualTo(Payment.Status.CAPTURED);
        assertThat(shop.events("payment.captured")).isEqualTo(1);
    }
}
