package dev.baton.examples.shop;

import dev.baton.examples.shop.demo.Account;
import dev.baton.examples.shop.demo.Auditor;
import dev.baton.examples.shop.demo.Customers;
import dev.baton.examples.shop.demo.DemoServers;
import dev.baton.examples.shop.demo.DemoSettings;
import dev.baton.examples.shop.demo.Findings;
import dev.baton.examples.shop.demo.Latency;
import dev.baton.examples.shop.demo.Progress;
import dev.baton.examples.shop.demo.Report;
import dev.baton.examples.shop.demo.Watch;
import dev.baton.examples.shop.demo.WorkerProcess;
import dev.baton.examples.shop.sandbox.Faults;
import dev.baton.examples.shop.sandbox.Sandbox;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The whole shop in one JVM: places orders while the foreign services fail, perhaps kills the workers in the middle,
 * and adds up in the end. Run it by {@code mvn -q -Pshop}; {@link DemoSettings} lists its properties. Ends with
 * status 0 only if the account holds.
 */
public final class ShopDemo implements AutoCloseable {
    /** Short, so that the jobs of killed workers start again soon. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    /**
     * Shares of the orders captured: from the first on, the workers are killed as soon as jobs run; at the second
     * anyway.
     */
    private static final double KILL_FROM = 0.4;

    private static final double KILL_AT = 0.7;

    private final DemoSettings settings;
    private final Latency latency = new Latency();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private @Nullable WorkerProcess victim;
    private boolean killed;
    private volatile @Nullable ShopWorker worker;

    private ShopDemo(DemoSettings settings) {
        this.settings = settings;
    }

    /** Runs it. */
    public static void main(String[] args) {
        ShopDemo demo = new ShopDemo(settingsOrExit());
        Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "demo-shutdown"));
        boolean holds = false;
        try {
            holds = demo.run();
        } catch (Throwable e) {
            // Errors too, for other threads would keep the JVM alive. After Ctrl-C everything is closed under our feet:
            // what fails then is no news.
            if (demo.closing.getCount() > 0) {
                System.err.println("The demo failed: " + e + "; target/shop.log may know more");
            }
        }
        demo.close();
        System.exit(holds ? 0 : 1);
    }

    private boolean run() throws IOException, InterruptedException {
        System.out.println(DemoServers.start());
        Sandbox sandbox = opened(Sandbox.start(settings.faults() ? Faults.seeded(settings.seed()) : Faults.none()));
        ShopConfig config = DemoServers.freshShop(sandbox.uri(), LEASE);
        Auditor auditor = opened(new Auditor(config, sandbox));
        ShopApi api = opened(ShopApi.start(config, 0, this::afterCommit));
        startWorkers(config);
        System.out.println(settings.orders() + " orders, seed " + settings.seed()
                + (settings.faults() ? ", with faults" : ", without faults")
                + (settings.kill() ? ", workers in a JVM that will be killed" : ""));
        Watch watch = new Watch(settings, closing);
        Customers customers = opened(Customers.start(api.uri(), settings.orders(), settings.seed()));
        watch.untilDone(() -> auditor.look(customers.placed().size()), progress -> killWhenItHurts(progress, config));
        return report(watch.seconds(), customers, auditor, sandbox);
    }

    private void startWorkers(ShopConfig config) throws IOException {
        if (settings.kill()) {
            victim = opened(WorkerProcess.start(config));
        } else {
            worker = opened(ShopWorker.start(config, latency));
        }
    }

    private void killWhenItHurts(Progress progress, ShopConfig config) {
        WorkerProcess process = victim;
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
        worker = opened(ShopWorker.start(config, latency));
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
        Account account = Account.of(settings.orders(), customers.placed(), findings);
        Report report = new Report(
                settings,
                account,
                killed,
                seconds,
                latency.summary(),
                sandbox.faults(),
                auditor.jobTotals(),
                findings.deadLetters());
        report.print();
        report.write(settings.account());
        return account.holds();
    }

    private <T extends AutoCloseable> T opened(T resource) {
        synchronized (open) {
            open.push(resource);
        }
        return resource;
    }

    /** Stops everything, what was started last first: customers, then workers, then what they talk to. */
    @Override
    public void close() {
        closing.countDown();
        synchronized (open) {
            while (!open.isEmpty()) {
                try {
                    open.pop().close();
                } catch (Exception e) {
                    System.err.println("could not stop cleanly: " + e);
                }
            }
        }
    }

    private static DemoSettings settingsOrExit() {
        try {
            return DemoSettings.fromProperties();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            throw e;
        }
    }
}
