package dev.baton.examples.invoices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.examples.demo.Account;
import dev.baton.examples.demo.Check;
import dev.baton.examples.demo.DemoProcess;
import dev.baton.examples.demo.DemoServers;
import dev.baton.examples.demo.DemoWorkers;
import dev.baton.examples.demo.FreePort;
import dev.baton.examples.invoices.demo.Auditor;
import dev.baton.examples.invoices.demo.InvoicesAccount;
import dev.baton.examples.invoices.demo.Shops;
import dev.baton.examples.invoices.sandbox.ProviderSandbox;
import dev.baton.examples.sandbox.Faults;
import dev.baton.servers.Redis;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The API and two workers as processes of their own, one of which is killed, at providers that fail. */
@Timeout(120)
class InvoicesProcessesIT {
    private static final int ORDERS = 150;
    private static final Duration CLAIM = Duration.ofSeconds(2);

    @Test
    void each_order_has_one_invoice_or_one_failure_although_a_worker_is_killed() throws Exception {
        int port = FreePort.find();
        try (ProviderSandbox provider = ProviderSandbox.start(Faults.seeded(1, 1))) {
            InvoicesConfig config = new InvoicesConfig(
                    DemoServers.freshDatabaseUrl(),
                    Redis.get().uri(),
                    Redis.freshPrefix(),
                    provider.uri(),
                    InvoicesConfig.CONCURRENCY,
                    CLAIM,
                    "* * * * * *",
                    1 / 600.0,
                    Duration.ofSeconds(4));
            Map<String, String> environment = new HashMap<>(config.toEnvironment());
            environment.put("PORT", Integer.toString(port));
            try (Auditor auditor = new Auditor(config, provider);
                    DemoProcess api = DemoProcess.start("invoices-it-api", InvoicesApi.class, environment);
                    DemoWorkers workers = DemoWorkers.start("invoices-it-worker", InvoicesWorker.class, environment)) {
                api.awaitStart();
                try (Shops shops = Shops.start(URI.create("http://127.0.0.1:" + port), ORDERS, CLAIM, 1)) {
                    await().until(() -> shops.memories().requested() > ORDERS / 2
                            && auditor.look(ORDERS, shops.memories()).leased() > 0);
                    workers.killOldest();
                    await().atMost(Duration.ofSeconds(60))
                            .until(() -> auditor.look(ORDERS, shops.memories()).complete());

                    Account account = InvoicesAccount.of(ORDERS, shops.memories(), auditor.findings());
                    assertThat(account.checks()).allMatch(Check::holds);
                }
            }
        }
    }
}
