package dev.baton.examples.demo;

import dev.baton.examples.service.ServiceMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A service in a JVM of its own, which can be killed as a machine dies: without a chance to settle anything. */
public final class DemoProcess implements AutoCloseable {
    private static final long LOOK_EVERY_MS = 50;

    private final Process process;
    private final Path output;

    private DemoProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts it with this JVM's class path. What it prints is in {@code target/NAME.out} and {@code
     * .err}, its log in {@code target/NAME.log}.
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
        Path output = Path.of("target", name + ".out");
        builder.redirectOutput(output.toFile())
                .redirectError(Path.of("target", name + ".err").toFile());
        return new DemoProcess(builder.start(), output);
    }

    /** The process's main: that of the service, and the end as soon as standard input ends. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Thread leash = new Thread(DemoProcess::dieWithParent, "leash");
        leash.setDaemon(true);
        leash.start();
        Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }

    /**
     * Returns when it says that it is {@linkplain ServiceMain#UP up}. Its log may go to the same place.
     *
     * @throws IOException if it ended instead
     */
    public void awaitStart() throws IOException, InterruptedException {
        while (!Files.readString(output).contains(ServiceMain.UP)) {
            if (process.waitFor(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        "a process ended at its start; " + output + " and the files beside it may know why");
            }
        }
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
