package dev.baton.redis;

import dev.baton.internal.Names;
import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.util.JedisURIHelper;

/**
 * The connection to one Redis, and the queues in it under one prefix.
 *
 * <p>Every timeout is bounded: 2 s to connect, 5 s for an answer. Connections are opened as needed and kept.
 *
 * <p><b>Threads.</b> Thread-safe. Close it after the workers and relays that use it.
 */
public final class RedisQueues implements AutoCloseable {
    private static final int CONNECT_MS = 2_000;
    private static final int ANSWER_MS = 5_000;
    private static final int CONNECTIONS = 64;

    private final RedisClient redis;
    private final String prefix;
    private final Supplier<String> clock;

    private RedisQueues(RedisClient redis, String prefix, Supplier<String> clock) {
        this.redis = redis;
        this.prefix = prefix;
        this.clock = clock;
    }

    /**
     * Prepares the connection; the server need not answer yet.
     *
     * @param uri {@code redis://user:password@host:port/database}, or {@code rediss://..} for TLS
     * @param prefix of all keys, such as {@code shop}; keeps applications apart that share a server
     * @throws IllegalArgumentException if the URI is not of that form (the message shows no password), or a name is bad
     */
    public static RedisQueues connect(URI uri, String prefix) {
        // '' makes the scripts ask the server for the time.
        return connect(uri, prefix, () -> "");
    }

    /** For tests: a clock of their own, in milliseconds since 1970. */
    static RedisQueues connect(URI uri, String prefix, Supplier<String> clock) {
        if (!JedisURIHelper.isValid(uri) || !isRedis(uri)) {
            throw new IllegalArgumentException(
                    "the Redis URI with scheme " + uri.getScheme() + " and host " + uri.getHost()
                            + " cannot be used; it must be redis://[user:password@]host:port[/database] or rediss://..");
        }
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxIdle(CONNECTIONS);
        pool.setMaxWait(Duration.ofMillis(ANSWER_MS));
        RedisClient client = RedisClient.builder()
                .hostAndPort(JedisURIHelper.getHostAndPort(uri))
                .clientConfig(config(uri))
                .poolConfig(pool)
                .build();
        return new RedisQueues(client, Names.check("prefix", prefix), clock);
    }

    /**
     * The queue of this name; it exists as soon as a job is in it.
     *
     * @throws IllegalArgumentException if the name is blank, longer than 200 characters or has control characters
     */
    public RedisJobQueue queue(String name) {
        return new RedisJobQueue(this, Names.check("queue", name));
    }

    /** Closes all connections. */
    @Override
    public void close() {
        redis.close();
    }

    UnifiedJedis redis() {
        return redis;
    }

    /** A connection for one caller alone, such as one that blocks; the caller closes it. */
    Connection dedicated() {
        return redis.getPool().getResource();
    }

    String prefix() {
        return prefix;
    }

    /** What a script gets as the time: '' for the server's clock. */
    String now() {
        return clock.get();
    }

    private static boolean isRedis(URI uri) {
        return JedisURIHelper.isRedisScheme(uri) || JedisURIHelper.isRedisSSLScheme(uri);
    }

    private static JedisClientConfig config(URI uri) {
        return DefaultJedisClientConfig.builder()
                .connectionTimeoutMillis(CONNECT_MS)
                .socketTimeoutMillis(ANSWER_MS)
                .blockingSocketTimeoutMillis(ANSWER_MS)
                .user(JedisURIHelper.getUser(uri))
                .password(JedisURIHelper.getPassword(uri))
                .database(JedisURIHelper.getDBIndex(uri))
                .sslOptions(JedisURIHelper.isRedisSSLScheme(uri) ? SslOptions.defaults() : null)
                .clientName("baton")
                .build();
    }
}
