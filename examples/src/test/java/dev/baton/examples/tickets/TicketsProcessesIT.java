package dev.baton.examples.tickets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.examples.demo.Account;
import dev.baton.examples.demo.Check;
import dev.baton.examples.demo.DemoProcess;
import dev.baton.examples.demo.DemoServers;
import dev.baton.examples.demo.DemoWorkers;
import dev.baton.examples.demo.FreePort;
import dev.baton.examples.tickets.demo.Auditor;
import dev.baton.examples.tickets.demo.Buyers;
import dev.baton.examples.tickets.demo.Outages;
import dev.baton.examples.tickets.demo.TicketsAccount;
import dev.baton.servers.Redis;
import dev.baton.servers.RedisProcess;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The API and two workers as processes of their own, one of which is killed, as is Redis. */
@Timeout(120)
class TicketsProcessesIT {
    private static final int ORDERS = 250;
    private static final Duration HOLD = Duration.ofSeconds(2);

    @Test
    void every_seat_is_sold_once_or_released_although_a_worker_and_redis_are_killed() throws Exception {
        try (RedisProcess redis = RedisProcess.start("--appendonly", "yes")) {
            TicketsConfig config = new TicketsConfig(
                    DemoServers.freshDatabaseUrl(),
                    redis.uri(),
                    Redis.freshPrefix(),
                    HOLD,
                    0.01,
                    Duration.ofSeconds(1));
            int port = FreePort.find();
            Map<String, String> environment = new HashMap<>(config.toEnvironment());
            environment.put("PORT", Integer.toString(port));
            try (Auditor auditor = new Auditor(config);
                    DemoProcess api = DemoProcess.start("tickets-it-api", TicketsApi.class, environment);
                    DemoWorkers workers = DemoWorkers.start("tickets-it-worker", TicketsWorker.class, environment)) {
                api.awaitStart();
                try (Buyers buyers = Buyers.start(URI.create("http://127.0.0.1:" + port), ORDERS, HOLD, 1)) {
                    await().until(() -> buyers.memories().booked() > ORDERS / 3);
                    workers.killOldest();
                    await().until(() -> buyers.memories().booked() > 2 * ORDERS / 3);
                    redis.kill();
                    redis.restart();
                    auditor.awaitRedis();
                    await().atMost(Duration.ofSeconds(60))
                            .until(() -> auditor.look(ORDERS, buyers.memories()).complete());

                    Account account = TicketsAccount.of(ORDERS, buyers.memories(), auditor.findings(), new Outages());
                    assertThat(broken(account)).isEmpty();
                }
            }
        }
    }

    /** How late the last one was depends on the machine; the demo looks at that. */
    private static List<String> broken(Account account) {
        return account.checks().stream()
                .filter(check -> !check.holds() && !check.name().startsWith("longest delay"))
                .map(Check::toString)
                .toList();
    }
}
