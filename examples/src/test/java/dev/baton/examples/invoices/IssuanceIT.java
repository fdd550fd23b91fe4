package dev.baton.examples.invoices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import dev.baton.deadletter.DeadLetter;
import dev.baton.examples.invoices.Invoice.Mode;
import dev.baton.examples.invoices.Invoice.Status;
import dev.baton.examples.invoices.sandbox.ProviderSandbox;
import dev.baton.examples.sandbox.Fault;
import dev.baton.failure.DeathReason;
import dev.baton.failure.PermanentException;
import dev.baton.failure.RetryLaterException;
import dev.baton.jdbi.JdbiDeadLetterStore;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What requests, claims and calls leave behind when they come twice, too late, or lose their answers. */
class IssuanceIT {
    private final InvoicesFixture service = new InvoicesFixture();

    IssuanceIT() throws IOException {}

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void an_order_that_is_requested_twice_has_one_event_whose_id_is_the_orders() {
        UUID order = service.request(Mode.REAL_TIME, null, false);

        assertThat(service.desk.request(order, "vnpay", Mode.REAL_TIME, 1, null, false))
                .isFalse();

        assertThat(service.events()).containsExactly("invoice.requested " + order);
        assertThat(service.invoice(order).provider()).isEqualTo("vnis");
    }

    @Test
    void issuing_twice_is_one_invoice_also_if_the_first_answer_was_lost() throws Exception {
        UUID order = service.request(Mode.REAL_TIME, null, false);
        service.faults.plan("POST /invoices", Fault.ANSWER_LOST);

        assertThatExceptionOfType(IOException.class).isThrownBy(() -> service.issuance.issue(order, 1));
        assertThat(service.invoice(order).status()).isEqualTo(Status.PENDING);
        service.issuance.issue(order, 2);
        service.issuance.issue(order, 3);

        assertThat(service.invoice(order).status()).isEqualTo(Status.ISSUED);
        assertThat(service.invoice(order).retryCount()).isEqualTo(1);
        assertThat(service.provider.ledger().issued()).containsOnly(entry(order.toString(), 1));
    }

    @Test
    void what_the_provider_refuses_is_permanent_and_what_it_cannot_do_now_is_not() {
        UUID refused = service.request(Mode.REAL_TIME, ProviderSandbox.REFUSED, false);
        UUID unlucky = service.request(Mode.REAL_TIME, ProviderSandbox.UNLUCKY, false);

        assertThatExceptionOfType(PermanentException.class).isThrownBy(() -> service.issuance.issue(refused, 1));
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> service.issuance.issue(unlucky, 1))
                .isNotInstanceOf(PermanentException.class);
    }

    @Test
    void a_claim_puts_the_tax_code_on_the_invoice_and_its_expiry_comes_to_nothing_then() {
        UUID order = service.request(Mode.REAL_TIME, null, true);
        assertThatExceptionOfType(RetryLaterException.class).isThrownBy(() -> service.desk.expireClaim(order));

        assertThat(service.desk.claim(order, "0123456789")).isTrue();
        claimIsOver(order);
        service.desk.expireClaim(order);

        assertThat(service.invoice(order).taxCode()).isEqualTo("0123456789");
        assertThat(service.events()).hasSize(2).contains("invoice.requested " + order);
    }

    @Test
    void a_claim_that_comes_too_late_is_refused_and_the_invoice_is_a_retail_one() {
        UUID order = service.request(Mode.REAL_TIME, null, true);
        claimIsOver(order);

        assertThat(service.desk.claim(order, "0123456789")).isFalse();
        service.desk.expireClaim(order);
        service.desk.expireClaim(order);

        assertThat(service.invoice(order).taxCode()).isNull();
        assertThat(service.events()).hasSize(2).contains("invoice.requested " + order);
    }

    @Test
    void a_cancellation_cancels_at_the_provider_what_was_issued() throws Exception {
        UUID order = service.request(Mode.REAL_TIME, null, false);
        service.issuance.issue(order, 1);

        assertThat(service.desk.cancel(order)).isTrue();
        assertThat(service.desk.cancel(order)).isTrue();
        service.issuance.cancel(order);

        assertThat(service.events()).hasSize(2);
        assertThat(service.provider.ledger().cancelled()).containsExactly(order.toString());
        assertThat(service.invoice(order).status()).isEqualTo(Status.CANCELLED);
    }

    @Test
    void a_dead_issuance_that_is_buried_twice_leaves_one_row_in_the_audit() {
        UUID order = service.request(Mode.REAL_TIME, null, false);
        FailedInvoices letters =
                new FailedInvoices(service.database.jdbi(), new JdbiDeadLetterStore(service.database.jdbi()));

        letters.bury(List.of(letter(order)));
        letters.bury(List.of(letter(order)));

        assertThat(service.invoice(order).status()).isEqualTo(Status.FAILED);
        assertThat(service.audit(order)).containsExactly("ATTEMPTS: in vain");
        assertThat(letters.open(10)).hasSize(1);
    }

    private void claimIsOver(UUID order) {
        service.database
                .jdbi()
                .useHandle(handle -> handle.execute(
                        "UPDATE invoices SET claim_until = clock_timestamp() WHERE order_id = ?", order));
    }

    private static DeadLetter letter(UUID order) {
        return new DeadLetter(
                "issuance#0",
                order.toString(),
                InvoiceQueues.ISSUE,
                "{\"orderId\":\"" + order + "\",\"provider\":\"vnis\"}",
                Map.of(),
                DeathReason.ATTEMPTS,
                null,
                "in vain",
                null,
                4,
                4,
                Instant.EPOCH,
                Instant.EPOCH);
    }
}
