package dev.baton.examples.tickets;

import dev.baton.examples.demo.Account;
import dev.baton.examples.demo.DemoRedis;
import dev.baton.examples.demo.DemoServers;
import dev.baton.examples.demo.DemoSettings;
import dev.baton.examples.demo.DemoWorkers;
import dev.baton.examples.demo.Percentiles;
import dev.baton.examples.demo.Report;
import dev.baton.examples.demo.Stage;
import dev.baton.examples.demo.Watch;
import dev.baton.examples.tickets.demo.Auditor;
import dev.baton.examples.tickets.demo.Buyers;
import dev.baton.examples.tickets.demo.Findings;
import dev.baton.examples.tickets.demo.Havoc;
import dev.baton.examples.tickets.demo.TicketsAccount;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ticket office with its API in this JVM and two workers in JVMs of their own: thousands of holds of three seconds,
 * while workers and Redis are killed, and an account in the end. Run it by {@code mvn -q -Ptickets}; {@link DemoSettings}
 * lists its properties. Ends with status 0 only if the account holds.
 */
public final class TicketsDemo {
    private static final Logger log = LoggerFactory.getLogger(TicketsDemo.class);
    private static final Duration SLOW = Duration.ofMillis(300);
    private static final int ORDERS = 2_000;
    private static final Duration HOLD = Duration.ofSeconds(3);
    private static final double RETRY_FACTOR = 0.01;
    /** The shortest there is, so that the jobs of killed workers start again soon. */
    private static final Duration LEASE = Duration.ofSeconds(1);

    private final DemoSettings settings;
    private final Stage stage;

    private TicketsDemo(DemoSettings settings, Stage stage) {
        this.settings = settings;
        this.stage = stage;
    }

    /** Runs it. */
    public static void main(String[] args) {
        Stage.run(
                () -> DemoSettings.fromProperties("tickets", ORDERS, true),
                (settings, stage) -> new TicketsDemo(settings, stage).run());
    }

    private boolean run() throws IOException, InterruptedException {
        DemoRedis redis = stage.opened(DemoRedis.start());
        System.out.println(Postgres.get().describe() + ", " + redis.describe());
        TicketsConfig config = new TicketsConfig(
                DemoServers.freshDatabaseUrl(), redis.uri(), Redis.freshPrefix(), HOLD, RETRY_FACTOR, LEASE);
        Auditor auditor = stage.opened(new Auditor(config));
        TicketsApi api = stage.opened(TicketsApi.start(config, settings.port()));
        DemoWorkers workers =
                stage.opened(DemoWorkers.start("tickets-worker", TicketsWorker.class, config.toEnvironment()));
        if (settings.serve()) {
            return stage.serve(api.uri());
        }
        System.out.println(settings.orders() + " orders held for " + HOLD.toSeconds() + " s, seed " + settings.seed()
                + (settings.kill() ? ", workers and Redis will be killed" : ""));
        Havoc havoc = new Havoc(config, workers, redis, auditor);
        Watch watch = new Watch(settings.limit(), stage.closing());
        Buyers buyers = stage.opened(Buyers.start(api.uri(), settings.orders(), HOLD, settings.seed()));
        watch.untilDone(() -> auditor.look(settings.orders(), buyers.memories()), progress -> {
            if (settings.kill()) {
                havoc.strike(progress);
            }
        });
        return report(watch.seconds(), buyers, auditor, havoc);
    }

    private boolean report(double seconds, Buyers buyers, Auditor auditor, Havoc havoc) throws IOException {
        Findings findings = auditor.findings();
        findings.releases().stream()
                .filter(each -> each.after().compareTo(SLOW) > 0)
                .forEach(each -> log.info("slow: {}, {} after its time", each, each.after()));
        Account account = TicketsAccount.of(settings.orders(), buyers.memories(), findings, havoc.outages());
        new Report(
                        settings,
                        account,
                        havoc.done().containsKey("WORKER_KILLED"),
                        seconds,
                        Percentiles.of(findings.releases().stream()
                                .map(each -> each.after().toNanos())
                                .toList()),
                        "from the end of a hold to its release, outages included",
                        havoc.done(),
                        auditor.jobTotals(),
                        findings.deadLetters())
                .publish();
        return account.holds();
    }
}
