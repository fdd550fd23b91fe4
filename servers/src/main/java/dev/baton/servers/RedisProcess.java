package dev.baton.servers;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A {@code redis-server} process of its own, for tests that stop, kill or pause it. It listens on 127.0.0.1 only and
 * keeps its data in memory unless its arguments say otherwise.
 *
 * <p>The methods may be called by several threads; they wait for each other. The process and its folder are gone when it
 * is {@link #close() closed} or when the JVM is gone, even after a {@code kill -9}.
 */
public final class RedisProcess implements AutoCloseable {

    private final RedisCommand command;
    private Process process;
    private boolean paused;

    private RedisProcess(RedisCommand command, Process process) {
        this.command = command;
        this.process = process;
        AtExit.run(this::close);
    }

    /**
     * Starts a server on a free port.
     *
     * @param arguments more arguments of {@code redis-server}, for example {@code "--appendonly", "yes"}; a first one
     *     without dashes is the configuration file. The port is not to be among them.
     * @return the server, ready to answer
     * @throws IllegalStateException if it does not start
     */
    public static RedisProcess start(String... arguments) {
        for (int attempt = 1; ; attempt++) {
            RedisCommand command = RedisCommand.on(Ports.free(), arguments);
            try {
                return new RedisProcess(command, command.run());
            } catch (IllegalStateException e) {
                if (attempt == 4 || !command.log().contains("Address already in use")) {
                    throw e;
                }
            }
        }
    }

    /**
     * Starts the server again after {@link #stop()} or {@link #kill()}: same port, same folder, same arguments.
     *
     * @throws IllegalStateException if it still runs or does not start
     */
    public synchronized void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException("redis-server still runs on port " + port());
        }
        process = command.run();
        paused = false;
    }

    /** Asks the server to end and waits until it has. Data is kept only if the arguments ask for it. */
    public synchronized void stop() {
        resume();
        process.destroy();
        awaitEnd();
    }

    /** Ends the server at once, as a crash does, and waits until it is gone. */
    public synchronized void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Freezes the server (SIGSTOP): it accepts connections but does not answer. Not on Windows. */
    public synchronized void pause() {
        Signal.send("STOP", process);
        paused = true;
    }

    /** Lets a {@link #pause() paused} server go on (SIGCONT). Without effect on one that runs or has ended. */
    public synchronized void resume() {
        if (paused && process.isAlive()) {
            Signal.send("CONT", process);
        }
        paused = false;
    }

    /**
     * Returns the port.
     *
     * @return the port, which stays the same for the life of this object
     */
    public int port() {
        return command.port();
    }

    /**
     * Returns the address.
     *
     * @return a URI like {@code redis://127.0.0.1:41235}
     */
    public URI uri() {
        return command.uri();
    }

    /**
     * Returns the working folder of the server.
     *
     * @return a folder that exists until this object is closed
     */
    public Path folder() {
        return command.folder();
    }

    /** Kills the server, if it still runs, and deletes its folder. */
    @Override
    public synchronized void close() {
        kill();
        if (Files.exists(folder())) {
            Workspace.delete(folder());
        }
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            Guardian.forget(process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
