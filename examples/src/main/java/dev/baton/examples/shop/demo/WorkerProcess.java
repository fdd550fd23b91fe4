package dev.baton.examples.shop.demo;

import dev.baton.examples.shop.ShopConfig;
import dev.baton.examples.shop.ShopWorker;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Relay and workers in a JVM of their own, which can be killed as a machine dies: without a chance to settle anything.
 */
public final class WorkerProcess implements AutoCloseable {
    private final Process process;

    private WorkerProcess(Process process) {
        this.process = process;
    }

    /** Starts it with this JVM's class path. Its log is {@code target/shop-worker.log}. */
    public static WorkerProcess start(ShopConfig config) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                "-Dshop.log=target/shop-worker.log",
                WorkerProcess.class.getName());
        builder.environment().putAll(config.toEnvironment());
        builder.redirectErrorStream(true).redirectOutput(new File("target/shop-worker.out"));
        return new WorkerProcess(builder.start());
    }

    /** The process's main: {@link ShopWorker#main}, and the end as soon as standard input ends. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Thread leash = new Thread(WorkerProcess::dieWithParent, "leash");
        leash.setDaemon(true);
        leash.start();
        ShopWorker.main(args);
    }

    /** Whether it is still there. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL. Returns when it is dead; its jobs are leased until their leases end. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The demo holds the other end of the pipe and never writes: it ends when the demo does, however that happens. */
    private static void dieWithParent() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException e) {
            // As good as its end.
        }
        Runtime.getRuntime().halt(1);
    }
}
