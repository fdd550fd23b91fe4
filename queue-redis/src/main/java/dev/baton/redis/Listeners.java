package dev.baton.redis;

import dev.baton.job.WorkerListener;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a worker; one that throws harms neither the job nor the other listeners. */
final class Listeners {
    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final List<WorkerListener> all;

    Listeners(List<WorkerListener> all) {
        this.all = List.copyOf(all);
    }

    void tell(Consumer<WorkerListener> event) {
        for (WorkerListener listener : all) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                log.warn("a listener failed; the job is not affected", e);
            }
        }
    }
}
