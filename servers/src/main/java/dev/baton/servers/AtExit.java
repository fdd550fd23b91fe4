package dev.baton.servers;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work for the normal exit of the JVM: last come, first run, all in one shutdown hook. */
final class AtExit {

    private static final Logger LOG = LoggerFactory.getLogger(AtExit.class);

    private static final Deque<Runnable> TASKS = new ArrayDeque<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(AtExit::runAll, "baton-servers-exit"));
    }

    private AtExit() {}

    static void run(Runnable task) {
        synchronized (TASKS) {
            TASKS.push(task);
        }
    }

    private static void runAll() {
        while (true) {
            Runnable task;
            synchronized (TASKS) {
                task = TASKS.poll();
            }
            if (task == null) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.warn("Could not clean up at the exit of the JVM", e);
            }
        }
    }
}
