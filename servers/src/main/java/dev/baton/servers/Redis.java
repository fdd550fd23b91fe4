package dev.baton.servers;

import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The Redis server of this JVM. Instances are immutable and safe for use by several threads.
 *
 * <p>An embedded server or a container is gone when the JVM is gone, even after a {@code kill -9}. On a server named by
 * {@code REDIS_URL} all keys stay.
 */
public final class Redis {

    private static final Once<Redis> SERVER = new Once<>(RedisStart::start);
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private final URI uri;
    private final String description;

    Redis(URI uri, String description) {
        this.uri = uri;
        this.description = description;
    }

    /**
     * Returns the server, starting it on the first call. Any number of threads may call it: one starts the server, the
     * others wait for it. A failed start is not tried again.
     *
     * @return the server, ready to answer
     * @throws IllegalArgumentException if {@code REDIS_URL} is set to something that is not a Redis URL
     * @throws IllegalStateException if the server does not start or does not answer
     */
    public static Redis get() {
        return SERVER.get();
    }

    /**
     * Makes a prefix for keys that no other call returned, in this JVM or another one, so that test classes do not see
     * each other's keys. It starts no server.
     *
     * @return the prefix, without a colon at its end
     */
    public static String freshPrefix() {
        return "baton-" + Unique.ofThisJvm() + "-" + PREFIXES.incrementAndGet();
    }

    /**
     * Returns the address, with user and password if the server asks for them; it is a value of {@code REDIS_URL} that
     * makes another JVM use this very server.
     *
     * @return a URI with the scheme {@code redis} or {@code rediss}, a host and a port
     */
    public URI uri() {
        return uri;
    }

    /**
     * Says which server this is, for people to read.
     *
     * @return for example {@code Redis 6.2.11 embedded on port 41235}, never with the password
     */
    public String describe() {
        return description;
    }

    @Override
    public String toString() {
        return description;
    }
}
