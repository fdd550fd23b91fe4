package dev.baton.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A pool of connections per node. One that fails takes the others to its node with it: they lead to the same dead or
 * demoted server, and each would cost its next user an error of its own. The pool of a node that is not asked any more
 * empties itself within two minutes. Thread-safe.
 */
final class Nodes implements AutoCloseable {
    private static final int CONNECTIONS = 64;

    private final JedisClientConfig config;
    private final BusyPoll.Gate gate;
    private final ConnectionPoolConfig poolConfig = new ConnectionPoolConfig();
    private final Map<HostAndPort, ConnectionPool> pools = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * No connection yet.
     *
     * @param longestWait for one of the connections, if all are in use
     * @param gate shared by the connections of the pools; those {@link #open opened} for one caller wait for long, and do not look
     */
    Nodes(JedisClientConfig config, Duration longestWait, BusyPoll.Gate gate) {
        this.config = config;
        this.gate = gate;
        poolConfig.setMaxTotal(CONNECTIONS);
        poolConfig.setMaxIdle(CONNECTIONS);
        poolConfig.setMaxWait(longestWait);
    }

    /** A connection from the pool; to be closed. */
    Connection borrow(HostAndPort node) {
        while (true) {
            if (closed) {
                throw new IllegalStateException("this RedisQueues is closed");
            }
            ConnectionPool pool = pools.computeIfAbsent(node, this::pool);
            try {
                return pool.getResource();
            } catch (JedisException e) {
                // Given up by another thread since we looked it up: that is no failure. One to connect is, also if the
                // pool was given up meanwhile: a second attempt would hang at the same node as long again.
                if (!(e.getCause() instanceof IllegalStateException)) {
                    throw e;
                }
            }
        }
    }

    /** A connection for one caller alone, such as one that blocks; to be closed. */
    Connection open(HostAndPort node) {
        return new Connection(node, config);
    }

    /** Closes what is idle now, and what is in use when it is given back. */
    void giveUp(HostAndPort node) {
        ConnectionPool pool = pools.remove(node);
        if (pool != null) {
            pool.close();
        }
    }

    private ConnectionPool pool(HostAndPort node) {
        return new ConnectionPool(new ConnectionFactory(new PolledSockets(node, config, gate), config), poolConfig);
    }

    @Override
    public void close() {
        closed = true;
        pools.keySet().forEach(this::giveUp);
    }
}
