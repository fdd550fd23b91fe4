package dev.baton.servers;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** The signals that Java itself cannot send. */
final class Signal {

    private Signal() {}

    static void send(String name, Process process) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("Could not send SIG" + name + " to process " + process.pid());
            }
        } catch (IOException e) {
            throw new IllegalStateException("There is no kill command on this system", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while signalling process " + process.pid(), e);
        }
    }
}
