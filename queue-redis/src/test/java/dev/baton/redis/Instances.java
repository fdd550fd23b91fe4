package dev.baton.redis;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import dev.baton.redis.WorkerInstance.Settings;
import dev.baton.servers.Redis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A queue of its own, and the {@linkplain WorkerInstance worker processes} that serve it; they are gone with the test. */
final class Instances implements AutoCloseable {
    /** Generous: two processors are shared by everything that runs on them. */
    static final Duration PATIENCE = Duration.ofSeconds(40);

    final RedisQueues queues;
    final RedisJobQueue queue;
    final Journal journal;
    private final String prefix = Redis.freshPrefix();
    private final Map<String, Process> processes = new HashMap<>();

    Instances() {
        queues = RedisQueues.connect(Redis.get().uri(), prefix);
        queue = queues.queue(WorkerInstance.QUEUE);
        journal = new Journal(queues, queue);
    }

    /** Starts them and waits until they are about to work. */
    void start(Settings... all) {
        for (Settings settings : all) {
            processes.put(settings.process(), spawn(settings));
        }
        for (Settings settings : all) {
            await().atMost(PATIENCE)
                    .until(() -> !journal.entries("up", settings.process()).isEmpty());
        }
    }

    boolean alive(String process) {
        return process(process).isAlive();
    }

    /** SIGKILL; the journal says so once the process is gone. */
    void kill(String process) throws InterruptedException {
        process(process).destroyForcibly().waitFor();
        journal.write("killed", process, "-");
    }

    /**
     * SIGTERM.
     *
     * @return whether it has ended in that time; if not, it is killed
     */
    boolean stop(String process, Duration longest) throws InterruptedException {
        journal.write("term", process, "-");
        // Not that of the process: it closes the pipe too, and the end of that is the end at once.
        process(process).toHandle().destroy();
        if (process(process).waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
            return true;
        }
        kill(process);
        return false;
    }

    /**
     * SIGSTOP, and SIGCONT at the close. Both are sent by a shell that waits for the end of its input: if this JVM dies, the
     * process thaws and sees that end too.
     */
    Frozen freeze(String process) throws IOException {
        String pid = Long.toString(process(process).pid());
        Process shell = new ProcessBuilder("sh", "-c", "kill -STOP $0 && echo frozen; read line; kill -CONT $0", pid)
                .redirectError(Redirect.INHERIT)
                .start();
        String answer = shell.inputReader().readLine();
        if (!"frozen".equals(answer)) {
            throw new IllegalStateException("process " + pid + " could not be frozen");
        }
        return () -> {
            try {
                shell.getOutputStream().close();
                shell.waitFor();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
        queues.close();
    }

    private Process process(String name) {
        return requireNonNull(processes.get(name), name);
    }

    private Process spawn(Settings settings) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerInstance.class.getName(),
                Redis.get().uri().toString(),
                prefix));
        command.addAll(settings.words());
        try {
            return new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A process that stands still. */
    interface Frozen extends AutoCloseable {
        @Override
        void close();
    }
}
