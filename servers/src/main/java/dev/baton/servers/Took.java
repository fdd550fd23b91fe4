package dev.baton.servers;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long a start took. */
final class Took {

    private static final Logger LOG = LoggerFactory.getLogger("dev.baton.servers");

    private Took() {}

    static <T> T logged(Supplier<T> start, Function<T, String> describe) {
        long began = System.nanoTime();
        T started = start.get();
        LOG.info("{}, {}", describe.apply(started), since(began));
        return started;
    }

    static String since(long began) {
        return String.format(Locale.ROOT, "ready after %.1f s", (System.nanoTime() - began) / 1e9);
    }
}
