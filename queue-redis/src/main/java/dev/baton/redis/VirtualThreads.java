package dev.baton.redis;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Virtual threads where Java has them; by reflection, because the library runs on Java 17 too. */
final class VirtualThreads {
    private VirtualThreads() {}

    static Executor executor() {
        try {
            return (Executor)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "virtual threads need Java 21 or newer, this is Java "
                            + Runtime.version().feature() + "; leave virtualThreads() out, or give an executor",
                    e);
        }
    }
}
