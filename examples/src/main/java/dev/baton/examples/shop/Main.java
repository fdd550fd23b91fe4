package dev.baton.examples.shop;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** What the shop's two processes have in common: they start, and stop gracefully when they are told to. */
final class Main {
    private Main() {}

    /** Runs until SIGTERM or Ctrl-C; a bad setting ends it with a sentence and status 2. */
    static void run(Starter starter) throws IOException, InterruptedException {
        try {
            AutoCloseable process = starter.start(System.getenv());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(process), "shop-shutdown"));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
        // The library's threads are daemons: they keep no process alive.
        new CountDownLatch(1).await();
    }

    private static void close(AutoCloseable process) {
        try {
            process.close();
        } catch (Exception e) {
            System.err.println("could not stop cleanly: " + e);
        }
    }

    /** Starts a process. */
    @FunctionalInterface
    interface Starter {
        AutoCloseable start(Map<String, String> environment) throws IOException;
    }
}
