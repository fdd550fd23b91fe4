package dev.baton.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.examples.demo.Account;
import dev.baton.examples.demo.Check;
import dev.baton.examples.demo.DemoProcess;
import dev.baton.examples.demo.DemoWorkers;
import dev.baton.examples.demo.FreePort;
import dev.baton.examples.sandbox.Faults;
import dev.baton.examples.shop.demo.Auditor;
import dev.baton.examples.shop.demo.Customers;
import dev.baton.examples.shop.demo.ShopAccount;
import dev.baton.examples.shop.demo.ShopProgress;
import dev.baton.examples.shop.demo.ShopServers;
import dev.baton.examples.shop.sandbox.Sandbox;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The API and two workers as processes of their own, one of which is killed, with foreign services that fail. */
@Timeout(120)
class ShopProcessesIT {
    private static final int ORDERS = 80;

    @Test
    void each_order_is_paid_shipped_rewarded_and_confirmed_once_although_a_worker_is_killed() throws Exception {
        int port = FreePort.find();
        try (Sandbox sandbox = Sandbox.start(Faults.seeded(1))) {
            ShopConfig config = ShopServers.freshShop(sandbox.uri(), Duration.ofSeconds(4));
            Map<String, String> environment = new HashMap<>(config.toEnvironment());
            environment.put("PORT", Integer.toString(port));
            try (Auditor auditor = new Auditor(config, sandbox);
                    DemoProcess api = DemoProcess.start("shop-it-api", ShopApi.class, environment);
                    DemoWorkers workers = DemoWorkers.start("shop-it-worker", ShopWorker.class, environment)) {
                api.awaitStart();
                try (Customers customers = Customers.start(URI.create("http://127.0.0.1:" + port), ORDERS, 1)) {
                    await().until(() -> {
                        ShopProgress progress = auditor.look(customers.placed().size(), ORDERS);
                        return progress.captured() > ORDERS / 3 && progress.leased() > 0;
                    });
                    workers.killOldest();
                    await().atMost(Duration.ofSeconds(80))
                            .until(() -> auditor.look(customers.placed().size(), ORDERS)
                                    .complete());

                    Account account = ShopAccount.of(ORDERS, customers.placed(), auditor.findings());
                    assertThat(account.checks()).allMatch(Check::holds);
                }
            }
        }
    }
}
