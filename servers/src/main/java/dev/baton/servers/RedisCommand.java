package dev.baton.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How one {@code redis-server} is started, any number of times.
 *
 * @param port its port
 * @param folder its working folder
 * @param words the program and its arguments
 */
record RedisCommand(int port, Path folder, List<String> words) {

    /** As Java tells of ETXTBSY. */
    private static final String TEXT_FILE_BUSY = "error=26";

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    static RedisCommand on(int port, String... arguments) {
        Path folder = Workspace.folder().resolve("redis-" + port);
        List<String> rest = new ArrayList<>(Arrays.asList(arguments));
        List<String> words = new ArrayList<>(List.of(RedisBinary.file().toString()));
        if (!rest.isEmpty() && !rest.get(0).startsWith("-")) {
            words.add(rest.remove(0));
        }
        words.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", folder.toString()));
        words.addAll(List.of("--save", "", "--appendonly", "no"));
        words.addAll(rest);
        return new RedisCommand(port, folder, List.copyOf(words));
    }

    URI uri() {
        return URI.create("redis://127.0.0.1:" + port);
    }

    /** Starts the process and waits until it answers. */
    Process run() {
        Process process;
        try {
            Files.createDirectories(folder);
            process = start(new ProcessBuilder(words)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.to(logFile().toFile())));
        } catch (IOException e) {
            throw new UncheckedIOException("redis-server cannot be started", e);
        }
        Guardian.kill(process);
        try {
            awaitAnswer(process);
            return process;
        } catch (IllegalStateException e) {
            process.destroyForcibly();
            Guardian.forget(process);
            throw e;
        }
    }

    /**
     * The program was just written, and another process that was forked meanwhile, such as PostgreSQL's, may hold it open for
     * writing until it runs its own program: then Linux says that the file is busy.
     */
    static Process start(ProcessBuilder builder) throws IOException {
        long began = System.nanoTime();
        while (true) {
            try {
                return builder.start();
            } catch (IOException e) {
                if (!String.valueOf(e.getMessage()).contains(TEXT_FILE_BUSY)
                        || System.nanoTime() - began > PATIENCE_NANOS) {
                    throw e;
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** What the server printed since its last start, or the end of it. */
    String log() {
        return Workspace.tail(logFile());
    }

    private Path logFile() {
        return folder.resolve("redis.log");
    }

    private void awaitAnswer(Process process) {
        long began = System.nanoTime();
        try {
            while (!answers(process)) {
                if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("redis-server on port " + port + " ended at once: " + log());
                }
                if (System.nanoTime() - began > PATIENCE_NANOS) {
                    throw new IllegalStateException("redis-server on port " + port + " does not answer: " + log());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while starting redis-server", e);
        }
    }

    private boolean answers(Process process) {
        try {
            // Another server may answer on this port; this one is about to end then.
            return RedisInfo.of(uri()).pid() == process.pid();
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            return message.contains("NOAUTH") && process.isAlive();
        }
    }
}
