package dev.baton.examples.service;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** What the processes of all services have in common: they start, and stop gracefully when they are told to. */
public final class ServiceMain {
    /** What a process says when it is at work. */
    public static final String UP = "It is up; SIGTERM or Ctrl-C stops it";

    private ServiceMain() {}

    /** Runs until SIGTERM or Ctrl-C; a bad setting ends it with a sentence and status 2. */
    public static void run(Starter starter) throws IOException, InterruptedException {
        try {
            AutoCloseable process = starter.start(new Environment(System.getenv()));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(process), "shutdown"));
            System.out.println(UP);
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
    public interface Starter {
        /** Starts it as its environment says. */
        AutoCloseable start(Environment environment) throws IOException;
    }
}
