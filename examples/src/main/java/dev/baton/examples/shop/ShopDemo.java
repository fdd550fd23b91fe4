package dev.baton.examples.shop;

import dev.baton.examples.demo.Account;
import dev.baton.examples.demo.DemoProcess;
import dev.baton.examples.demo.DemoServers;
import dev.baton.examples.demo.DemoSettings;
import dev.baton.examples.demo.Report;
import dev.baton.examples.demo.Stage;
import dev.baton.examples.demo.Watch;
import dev.baton.examples.sandbox.Faults;
import dev.baton.examples.shop.demo.Auditor;
import dev.baton.examples.shop.demo.Customers;
import dev.baton.examples.shop.demo.Findings;
import dev.baton.examples.shop.demo.Latency;
import dev.baton.examples.shop.demo.ShopAccount;
import dev.baton.examples.shop.demo.ShopProgress;
import dev.baton.examples.shop.demo.ShopServers;
import dev.baton.examples.shop.sandbox.Sandbox;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The whole shop in one JVM: places orders while the foreign services fail, perhaps kills the workers in the middle,
 * and adds up in the end. Run it by {@code mvn -q -Pshop}; {@link DemoSettings} lists its properties. Ends with
 * status 0 only if the account holds.
 */
public final class ShopDemo {
    private static final int ORDERS = 200;

    /** Short, so that the jobs of killed workers start again soon. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    /**
     * Shares of the orders captured: from the first on, the workers are killed as soon as jobs run; at the second
     * anyway.
     */
    private static final double KILL_FROM = 0.4;

    private static final double KILL_AT = 0.7;

    private final DemoSettings settings;
    private final Stage stage;
    private final Latency latency = new Latency();
    private @Nullable DemoProcess victim;
    private boolean killed;
    private volatile @Nullable ShopWorker worker;

    private ShopDemo(DemoSettings settings, Stage stage) {
        this.settings = settings;
        this.stage = stage;
    }

    /** Runs it. */
    public static void main(String[] args) {
        Stage.run(
                () -> DemoSettings.fromProperties("shop", ORDERS, false),
                (settings, stage) -> new ShopDemo(settings, stage).run());
    }

    private boolean run() throws IOException, InterruptedException {
        System.out.println(DemoServers.start());
        Sandbox sandbox =
                stage.opened(Sandbox.start(settings.faults() ? Faults.seeded(settings.seed()) : Faults.none()));
        ShopConfig config = ShopServers.freshShop(sandbox.uri(), LEASE);
        Auditor auditor = stage.opened(new Auditor(config, sandbox));
        ShopApi api = stage.opened(ShopApi.start(config, settings.port(), this::afterCommit));
        startWorkers(config);
        if (settings.serve()) {
            return stage.serve(api.uri());
        }
        System.out.println(settings.orders() + " orders, seed " + settings.seed()
                + (settings.faults() ? ", with faults" : ", without faults")
                + (settings.kill() ? ", workers in a JVM that will be killed" : ""));
        Watch watch = new Watch(settings.limit(), stage.closing());
        Customers customers = stage.opened(Customers.start(api.uri(), settings.orders(), settings.seed()));
        watch.untilDone(
                () -> auditor.look(customers.placed().size(), settings.orders()),
                progress -> killWhenItHurts(progress, config));
        return report(watch.seconds(), customers, auditor, sandbox);
    }

    private void startWorkers(ShopConfig config) throws IOException {
        if (settings.kill()) {
            victim = stage.opened(DemoProcess.start("shop-worker", ShopWorker.class, config.toEnvironment()));
        } else {
            worker = stage.opened(ShopWorker.start(config, latency));
        }
    }

    private void killWhenItHurts(ShopProgress progress, ShopConfig config) {
        DemoProcess process = victim;
        double captured = (double) progress.captured() / settings.orders();
        boolean hurts = captured >= (progress.leased() > 0 ? KILL_FROM : KILL_AT);
        if (process == null || (process.isAlive() && !hurts)) {
            return;
        }
        victim = null;
        killed = process.isAlive();
        process.kill();
        System.out.printf(
                "%n%s after %d captures; new ones take over.%n",
                killed ? "Killed the workers" : "The workers died by themselves", progress.captured());
        worker = stage.opened(ShopWorker.start(config, latency));
    }

    private void afterCommit() {
        latency.placed();
        ShopWorker running = worker;
        if (running != null) {
            running.nudge();
        }
    }

    private boolean report(double seconds, Customers customers, Auditor auditor, Sandbox sandbox) throws IOException {
        Findings findings = auditor.findings();
        Account account = ShopAccount.of(settings.orders(), customers.placed(), findings);
        new Report(
                        settings,
                        account,
                        killed,
                        seconds,
                        latency.summary(),
                        "from commit to job start in this JVM, the waits of throttled queues included",
                        sandbox.faults(),
                        auditor.jobTotals(),
                        findings.deadLetters())
                .publish();
        return account.holds();
    }
}
