package dev.baton.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tiny shell process that outlives this JVM by a moment. Its standard input is a pipe from the JVM: whatever ends the
 * JVM closes the pipe, and then the guardian kills the servers and removes their files. On Windows there is none; there
 * only the shutdown hook cleans up.
 */
final class Guardian {

    private static final Logger LOG = LoggerFactory.getLogger(Guardian.class);

    private static final Once<OutputStream> PIPE = new Once<>(Guardian::start);

    private Guardian() {}

    /** After the JVM's death, remove this folder. */
    static void remove(Path folder) {
        tell("folder " + folder);
    }

    /** After the JVM's death, stop the PostgreSQL server that runs on this data folder, if any. */
    static void stopPostgres(Path data) {
        tell("postgres " + data);
    }

    /** After the JVM's death, kill this process. */
    static void kill(Process process) {
        tell("process " + process.pid());
    }

    /** This process has ended: its number may soon belong to another one. */
    static void forget(Process process) {
        tell("ended " + process.pid());
    }

    private static void tell(String line) {
        OutputStream pipe = PIPE.get();
        synchronized (pipe) {
            try {
                pipe.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                pipe.flush();
            } catch (IOException e) {
                LOG.warn("The guardian of the servers is gone; after a crash they may stay: {}", e.getMessage());
            }
        }
    }

    private static OutputStream start() {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            return OutputStream.nullOutputStream();
        }
        try (InputStream script = Guardian.class.getResourceAsStream("guardian.sh")) {
            if (script == null) {
                throw new IllegalStateException("guardian.sh is missing");
            }
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            return new ProcessBuilder("sh", "-c", text, "baton-guardian")
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start the guardian of the servers", e);
        }
    }
}
