package dev.baton.examples.invoices;

import dev.baton.examples.demo.Account;
import dev.baton.examples.demo.DemoServers;
import dev.baton.examples.demo.DemoSettings;
import dev.baton.examples.demo.DemoWorkers;
import dev.baton.examples.demo.Percentiles;
import dev.baton.examples.demo.Report;
import dev.baton.examples.demo.Stage;
import dev.baton.examples.demo.Watch;
import dev.baton.examples.invoices.demo.Auditor;
import dev.baton.examples.invoices.demo.Findings;
import dev.baton.examples.invoices.demo.InvoicesAccount;
import dev.baton.examples.invoices.demo.InvoicesProgress;
import dev.baton.examples.invoices.demo.Shops;
import dev.baton.examples.invoices.sandbox.ProviderSandbox;
import dev.baton.examples.sandbox.Faults;
import dev.baton.servers.Redis;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The invoice service with its API and the providers in this JVM and two workers in JVMs of their own: the providers fail,
 * workers are killed, and an account tells in the end. Run it by {@code mvn -q -Pinvoices}; {@link DemoSettings} lists its
 * properties. Ends with status 0 only if the account holds.
 */
public final class InvoicesDemo {
    private static final int ORDERS = 600;
    private static final Duration CLAIM = Duration.ofSeconds(3);
    private static final String SCHEDULE = "*/2 * * * * *";
    /** Five minutes are one second. */
    private static final double RETRY_FACTOR = 1 / 300.0;
    /** Short, so that the jobs of killed workers start again soon; far longer than the calls of one job. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private final DemoSettings settings;
    private final Stage stage;
    private final Deque<Double> kills = new ArrayDeque<>(List.of(0.3, 0.7));
    private boolean killed;

    private InvoicesDemo(DemoSettings settings, Stage stage) {
        this.settings = settings;
        this.stage = stage;
    }

    /** Runs it. */
    public static void main(String[] args) {
        Stage.run(
                () -> DemoSettings.fromProperties("invoices", ORDERS, true),
                (settings, stage) -> new InvoicesDemo(settings, stage).run());
    }

    private boolean run() throws IOException, InterruptedException {
        System.out.println(DemoServers.start());
        ProviderSandbox provider = stage.opened(
                ProviderSandbox.start(settings.faults() ? Faults.seeded(settings.seed(), 1) : Faults.none()));
        InvoicesConfig config = new InvoicesConfig(
                DemoServers.freshDatabaseUrl(),
                Redis.get().uri(),
                Redis.freshPrefix(),
                provider.uri(),
                InvoicesConfig.CONCURRENCY,
                CLAIM,
                SCHEDULE,
                RETRY_FACTOR,
                LEASE);
        Auditor auditor = stage.opened(new Auditor(config, provider));
        InvoicesApi api = stage.opened(InvoicesApi.start(config, settings.port()));
        DemoWorkers workers =
                stage.opened(DemoWorkers.start("invoices-worker", InvoicesWorker.class, config.toEnvironment()));
        if (settings.serve()) {
            return stage.serve(api.uri());
        }
        System.out.println(settings.orders() + " invoices, seed " + settings.seed()
                + (settings.faults() ? ", with faults" : ", without faults")
                + (settings.kill() ? ", workers will be killed" : ""));
        Watch watch = new Watch(settings.limit(), stage.closing());
        Shops shops = stage.opened(Shops.start(api.uri(), settings.orders(), CLAIM, settings.seed()));
        watch.untilDone(
                () -> auditor.look(settings.orders(), shops.memories()),
                progress -> killWhenItHurts(progress, workers));
        return report(watch.seconds(), shops, auditor, provider);
    }

    private void killWhenItHurts(InvoicesProgress progress, DemoWorkers workers) throws IOException {
        Double share = kills.peek();
        if (settings.kill() && share != null && progress.requested() >= share * settings.orders()) {
            kills.remove();
            workers.killOldest();
            workers.startOne();
            killed = true;
            System.out.printf("%nKilled a worker (kill -9); the other one goes on, and a new one joins it.%n");
        }
    }

    private boolean report(double seconds, Shops shops, Auditor auditor, ProviderSandbox provider) throws IOException {
        Findings findings = auditor.findings();
        Account account = InvoicesAccount.of(settings.orders(), shops.memories(), findings);
        new Report(
                        settings,
                        account,
                        killed,
                        seconds,
                        Percentiles.of(findings.waits()),
                        "from a request to its invoice, faults and retries included",
                        provider.faults(),
                        auditor.jobTotals(),
                        findings.deadLetters())
                .publish();
        return account.holds();
    }
}
