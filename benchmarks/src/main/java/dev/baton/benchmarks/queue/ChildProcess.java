package dev.baton.benchmarks.queue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that is run in a folder until it ends. */
final class ChildProcess {
    private ChildProcess() {}

    /**
     * Returns what it printed; its errors go where ours go. Its standard input ends when this JVM does.
     *
     * @throws IOException if it is not there, does not end in time, or ends with another code than 0
     */
    static String run(Path folder, Duration longest, String... words) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(List.of(words))
                .directory(folder.toFile())
                .redirectError(Redirect.INHERIT)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(words[0] + " has not ended after " + longest);
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new IOException(words[0] + " ended with code " + process.exitValue());
        }
        return Files.readString(output);
    }
}
