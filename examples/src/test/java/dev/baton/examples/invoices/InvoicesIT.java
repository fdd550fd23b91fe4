package dev.baton.examples.invoices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.examples.invoices.Invoice.Mode;
import dev.baton.examples.invoices.Invoice.Status;
import dev.baton.examples.invoices.sandbox.ProviderSandbox;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.job.NewJob;
import dev.baton.redis.PartitionedQueue;
import dev.baton.redis.RedisQueues;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole way: outbox, relay, partitions, workers, providers. */
@Timeout(60)
class InvoicesIT {
    private final InvoicesFixture service = new InvoicesFixture();
    private final JdbiDeadLetterStore letters = new JdbiDeadLetterStore(service.database.jdbi());

    InvoicesIT() throws IOException {}

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void both_modes_and_a_claim_that_expires_end_in_an_invoice() {
        UUID now = service.request(Mode.REAL_TIME, null, false);
        UUID later = service.request(Mode.SCHEDULED, "0123456789", false);
        UUID unclaimed = service.request(Mode.REAL_TIME, null, true);

        try (InvoicesWorker worker = InvoicesWorker.start(service.config)) {
            for (UUID order : List.of(now, later, unclaimed)) {
                await().until(() -> service.invoice(order).status() == Status.ISSUED);
            }
            assertThat(worker).isNotNull();
        }

        assertThat(service.provider.ledger().issued())
                .hasSize(3)
                .allSatisfy((order, times) -> assertThat(times).isEqualTo(1));
        assertThat(service.provider.ledger().overlaps()).isZero();
    }

    @Test
    void what_a_provider_refuses_fails_at_once_and_what_it_never_does_after_its_three_retries() {
        UUID refused = service.request(Mode.REAL_TIME, ProviderSandbox.REFUSED, false);
        UUID unlucky = service.request(Mode.REAL_TIME, ProviderSandbox.UNLUCKY, false);

        try (InvoicesWorker worker = InvoicesWorker.start(service.config)) {
            await().until(() -> service.invoice(refused).status() == Status.FAILED
                    && service.invoice(unlucky).status() == Status.FAILED);
            assertThat(worker).isNotNull();
        }

        assertThat(letter(refused).attempts()).isEqualTo(1);
        assertThat(letter(unlucky).attempts()).isEqualTo(4);
        assertThat(service.audit(refused)).singleElement().asString().contains("HTTP 422");
        assertThat(service.audit(unlucky)).singleElement().asString().contains("HTTP 503");
        assertThat(service.invoice(unlucky).retryCount()).isEqualTo(3);
    }

    @Test
    void an_order_is_always_in_the_partition_of_its_java_hash_and_a_second_job_of_it_is_a_duplicate() {
        ProviderSettings settings = ProviderSettings.read(service.database.jdbi(), 1);
        try (RedisQueues redis = RedisQueues.connect(service.config.redis(), service.config.prefix())) {
            InvoiceQueues queues = new InvoiceQueues(redis);
            PartitionedQueue issuance = queues.issuance();
            UUID order = UUID.randomUUID();
            NewJob job = queues.issueJob(new Invoice.Requested(order, "vnis"), settings);
            issuance.enqueue(job);
            issuance.enqueue(job);

            int expected = Math.floorMod(order.toString().hashCode(), InvoiceQueues.PARTITIONS);
            for (int i = 0; i < InvoiceQueues.PARTITIONS; i++) {
                assertThat(issuance.partitions().get(i).counts().ready()).isEqualTo(i == expected ? 1 : 0);
            }
            assertThat(job.options().retry()).isEqualTo(settings.retry("vnis"));
        }
    }

    private DeadLetter letter(UUID order) {
        return letters.open(10).stream()
                .filter(letter -> letter.jobId().equals(order.toString()))
                .findFirst()
                .orElseThrow();
    }
}
