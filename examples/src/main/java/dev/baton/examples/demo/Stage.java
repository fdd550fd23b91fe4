package dev.baton.examples.demo;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** Where a demo plays: what it has opened is closed in reverse order, also after Ctrl-C. */
public final class Stage implements AutoCloseable {
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    private Stage() {}

    /** Plays and ends the JVM: with status 0 only if the account holds, with 2 and a sentence after a bad setting. */
    public static void run(Supplier<DemoSettings> settings, Play play) {
        Stage stage = new Stage();
        Runtime.getRuntime().addShutdownHook(new Thread(stage::close, "demo-shutdown"));
        boolean holds = false;
        try {
            holds = play.play(settingsOrExit(settings), stage);
        } catch (Throwable e) {
            // Errors too, for other threads would keep the JVM alive. After Ctrl-C everything is closed under our feet:
            // what fails then is no news.
            if (stage.closing.getCount() > 0) {
                System.err.println("The demo failed: " + e + "; the logs in target may know more");
            }
        }
        stage.close();
        System.exit(holds ? 0 : 1);
    }

    /** Is counted down when the demo is being stopped. */
    public CountDownLatch closing() {
        return closing;
    }

    /** Closes it at the end. */
    public <T extends AutoCloseable> T opened(T resource) {
        synchronized (open) {
            open.push(resource);
        }
        return resource;
    }

    /** Stays up until Ctrl-C, instead of an account. */
    public boolean serve(URI api) throws InterruptedException {
        System.out.println("The API answers at " + api + " until Ctrl-C");
        closing.await();
        return true;
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

    private static DemoSettings settingsOrExit(Supplier<DemoSettings> settings) {
        try {
            return settings.get();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            throw e;
        }
    }

    /** The demo itself. */
    @FunctionalInterface
    public interface Play {
        /** Plays; true if the account holds. */
        boolean play(DemoSettings settings, Stage stage) throws Exception;
    }
}
