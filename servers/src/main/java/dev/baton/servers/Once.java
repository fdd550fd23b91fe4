package dev.baton.servers;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value made on first use. One thread makes it, the others wait. A failure is remembered and thrown again, so that a
 * hundred test classes do not wait a hundred times for a server that cannot start.
 */
final class Once<T> {

    private final Supplier<T> maker;
    private @Nullable T value;
    private @Nullable RuntimeException failure;

    Once(Supplier<T> maker) {
        this.maker = maker;
    }

    synchronized T get() {
        if (value != null) {
            return value;
        }
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
        try {
            T made = maker.get();
            value = made;
            return made;
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }
}
