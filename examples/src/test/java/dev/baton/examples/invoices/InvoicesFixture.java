package dev.baton.examples.invoices;

import dev.baton.examples.demo.DemoServers;
import dev.baton.examples.invoices.Invoice.Mode;
import dev.baton.examples.invoices.sandbox.ProviderSandbox;
import dev.baton.examples.sandbox.ScriptedFaults;
import dev.baton.examples.service.Database;
import dev.baton.examples.web.JsonClient;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.servers.Redis;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An empty invoice service with providers of its own, on real servers. */
final class InvoicesFixture implements AutoCloseable {
    final ScriptedFaults faults = new ScriptedFaults();
    final ProviderSandbox provider = ProviderSandbox.start(faults);
    final InvoicesConfig config = new InvoicesConfig(
            DemoServers.freshDatabaseUrl(),
            Redis.get().uri(),
            Redis.freshPrefix(),
            provider.uri(),
            InvoicesConfig.CONCURRENCY,
            Duration.ofSeconds(1),
            "* * * * * *",
            1 / 3_000.0,
            Duration.ofSeconds(5));
    final Database database = Database.open(config.databaseUrl(), InvoicesWorker.class);
    final InvoiceDesk desk = new InvoiceDesk(database.jdbi(), new JdbiOutboxWriter(), config.claim());
    final Issuance issuance = new Issuance(
            database.jdbi(), new HttpInvoiceProvider(new JsonClient(config.provider(), InvoicesConfig.CALL_TIMEOUT)));

    InvoicesFixture() throws IOException {}

    UUID request(Mode mode, @Nullable String taxCode, boolean claimable) {
        UUID order = UUID.randomUUID();
        desk.request(order, "vnis", mode, 250_000, taxCode, claimable);
        return order;
    }

    Invoice invoice(UUID order) {
        return desk.find(order).orElseThrow();
    }

    List<String> audit(UUID order) {
        return texts("SELECT why FROM invoice_audit WHERE order_id = '" + order + "'");
    }

    /** The ids of all events, with their topics. */
    List<String> events() {
        return texts("SELECT topic || ' ' || id FROM outbox_events ORDER BY seq");
    }

    private List<String> texts(String sql) {
        return database.jdbi()
                .withHandle(
                        handle -> handle.createQuery(sql).mapTo(String.class).list());
    }

    @Override
    public void close() {
        database.close();
        provider.close();
    }
}
