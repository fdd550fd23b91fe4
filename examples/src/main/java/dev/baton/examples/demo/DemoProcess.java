package dev.baton.examples.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A service in a JVM of its own, which can be killed as a machine dies: without a chance to settle anything. */
public final class DemoProcess implements AutoCloseable {
    private final Process process;

    private DemoProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts it with this JVM's class path. What it prints is in {@code target/NAME.out}, its log in {@code
     * target/NAME.log}.
     *
     * @param service whose main method it runs
     */
    public static DemoProcess start(String name, Class<?> service, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // It lives for seconds: the second compiler would take more time than it gives back.
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                System.getProperty("java.class.path"),
                "-Dexample.log=target/" + name + ".log",
                DemoProcess.class.getName(),
                service.getName());
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(new File("target/" + name + ".out"));
        return new DemoProcess(builder.start());
    }

    /** The process's main: that of the service, and the end as soon as standard input ends. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Thread leash = new Thread(DemoProcess::dieWithParent, "leash");
        leash.setDaemon(true);
        leash.start();
        Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }

    /** Whether it is still there. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL. Returns when it is dead; its jobs are leased until their leases end. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGTERM. Returns when it has stopped by itself. */
    public void terminate() {
        process.destroy();
        process.onExit().join();
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
