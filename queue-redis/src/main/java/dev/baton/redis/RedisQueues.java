package dev.baton.redis;

import dev.baton.internal.Names;
import dev.baton.internal.Rests;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.csc.Cache;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The connection to one Redis, and the queues in it under one prefix: {@code connect(URI.create("redis://localhost:6379"),
 * "shop")}, or {@link RedisServers} for Sentinels, a cluster, users, TLS and timeouts.
 *
 * <p>Every timeout is bounded: 2 s to connect and 2 s for an answer, unless set otherwise. Connections are opened as needed and kept.
 *
 * <p><b>Threads.</b> Thread-safe. Close it after the workers and relays that use it.
 */
public final class RedisQueues implements AutoCloseable {
    /** Names of queues, of which at least one falls on each node. */
    private static final int SAMPLES = 1_000;

    private final RedisServers servers;
    private final Recovery recovery = new Recovery();
    private final Router router;
    private final UnifiedJedis redis;
    private final String prefix;
    private final Supplier<String> clock;

    private RedisQueues(RedisServers servers, String prefix, Supplier<String> clock) {
        this.servers = servers;
        this.prefix = Names.check("prefix", prefix);
        this.clock = clock;
        this.router = new Router(servers.topology(recovery), servers.nodes());
        this.redis = new Client(router);
    }

    /**
     * Prepares the connection to one server, which need not answer yet.
     *
     * @param uri {@code redis://user:password@host:port/database}, or {@code rediss://..} for TLS
     * @param prefix of all keys, such as {@code shop}; keeps applications apart that share a server
     * @throws IllegalArgumentException if the URI is not of that form (the message shows no password), or a name is bad
     */
    public static RedisQueues connect(URI uri, String prefix) {
        return connect(RedisServers.single(uri), prefix);
    }

    /**
     * Prepares the connection to these servers, which need not answer yet.
     *
     * @param prefix of all keys, such as {@code shop}; keeps applications apart that share a server
     * @throws IllegalArgumentException if the prefix is blank, longer than 200 characters or has control characters
     */
    public static RedisQueues connect(RedisServers servers, String prefix) {
        // '' makes the scripts ask the server for the time.
        return new RedisQueues(servers, prefix, () -> "");
    }

    /** For tests: a clock of their own, in milliseconds since 1970. */
    static RedisQueues connect(URI uri, String prefix, Supplier<String> clock) {
        return new RedisQueues(RedisServers.single(uri), prefix, clock);
    }

    /**
     * The queue of this name; it exists as soon as a job is in it.
     *
     * @throws IllegalArgumentException if the name is blank, longer than 200 characters or has control characters
     */
    public RedisJobQueue queue(String name) {
        return RedisJobQueue.of(this, Names.check("queue", name));
    }

    /**
     * A queue over so many partitions.
     *
     * @throws IllegalArgumentException if the name is bad as for {@link #queue}, or there are not between 1 and 1,000
     */
    public PartitionedQueue partitioned(String name, int partitions) {
        return new PartitionedQueue(this, Names.check("queue", name), partitions);
    }

    /**
     * A signal of this name, by which processes that write tell relays in others of it. Close it before this connection.
     *
     * @param name such as {@code outbox}
     * @throws IllegalArgumentException if the name is blank, longer than 200 characters or has control characters
     */
    public RedisSignal signal(String name) {
        return new RedisSignal(this, Names.check("signal", name));
    }

    /**
     * What is wrong with the servers, each with what to do: too old, an evicting {@code maxmemory-policy}, a replica, a
     * command that the user may not run, or out of reach. Empty if all is well. The start of a worker checks the same. In a
     * cluster every node is asked that owns a fair share of the slots.
     *
     * <p>It writes and removes one key per node, and takes milliseconds unless a server is out of reach.
     */
    public List<String> check() {
        Map<HostAndPort, String> keys = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        try {
            for (int i = 0; i < SAMPLES; i++) {
                String key = new Keys(prefix, "check-" + i).session("check");
                keys.putIfAbsent(router.node(key), key);
            }
        } catch (JedisException e) {
            problems.add(servers + " cannot be asked: " + e.getMessage());
        }
        keys.forEach((node, key) -> problems.addAll(check(node, key)));
        return problems;
    }

    /** Closes all connections. */
    @Override
    public void close() {
        redis.close();
    }

    /** Names the servers and the prefix, never a user or password. */
    @Override
    public String toString() {
        return servers + " under " + prefix;
    }

    /** Jedis's methods on our router. Its own builders would open a second pool, to localhost. */
    private static final class Client extends UnifiedJedis {
        private Client(Router router) {
            super(router, null, Access.PROTOCOL, (Cache) null);
        }
    }

    private List<String> check(HostAndPort node, String key) {
        try (Connection connection = router.open(key)) {
            return ServerCheck.of(connection, key).stream()
                    .map(problem -> node + ": " + problem.text())
                    .toList();
        } catch (JedisException e) {
            return List.of(node + ": cannot be asked: " + e.getMessage());
        }
    }

    Rests rests() {
        return servers.rests();
    }

    UnifiedJedis redis() {
        return redis;
    }

    Recovery recovery() {
        return recovery;
    }

    Router router() {
        return router;
    }

    String prefix() {
        return prefix;
    }

    /** What a script gets as the time: '' for the server's clock. */
    String now() {
        return clock.get();
    }
}
