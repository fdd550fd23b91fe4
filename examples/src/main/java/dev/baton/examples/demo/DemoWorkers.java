package dev.baton.examples.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Two processes of the same service that do the same work, so that one of them can be killed. Not thread-safe. */
public final class DemoWorkers implements AutoCloseable {
    private static final int PROCESSES = 2;

    private final String name;
    private final Class<?> service;
    private final Map<String, String> environment;
    private final List<DemoProcess> running = new ArrayList<>();
    private int started;

    private DemoWorkers(String name, Class<?> service, Map<String, String> environment) {
        this.name = name;
        this.service = service;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Starts them and returns when they are at work. Each has a log of its own, {@code target/NAME-1.log} and so on.
     *
     * @param service whose main method they run
     */
    public static DemoWorkers start(String name, Class<?> service, Map<String, String> environment)
            throws IOException, InterruptedException {
        DemoWorkers workers = new DemoWorkers(name, service, environment);
        for (int i = 0; i < PROCESSES; i++) {
            workers.startOne();
        }
        for (DemoProcess process : workers.running) {
            process.awaitStart();
        }
        return workers;
    }

    /** SIGKILL to the one that runs longest. Returns when it is dead. */
    public void killOldest() {
        running.remove(0).kill();
    }

    /** A new one joins the others. */
    public void startOne() throws IOException {
        started++;
        running.add(DemoProcess.start(name + "-" + started, service, environment));
    }

    @Override
    public void close() {
        running.forEach(DemoProcess::close);
    }
}
