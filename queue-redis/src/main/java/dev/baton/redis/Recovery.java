package dev.baton.redis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who is told when the servers are said to be back, and not merely hoped to be: then nobody rests any longer. Thread-safe. */
final class Recovery {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** From now on it is told; quick, and throws nothing. */
    void add(Runnable listener) {
        listeners.add(listener);
    }

    /** Not any more. */
    void remove(Runnable listener) {
        listeners.remove(listener);
    }

    /** They are back. */
    void back() {
        listeners.forEach(Runnable::run);
    }
}
