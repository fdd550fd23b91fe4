package dev.baton.redis;

import redis.clients.jedis.HostAndPort;

/**
 * Which node answers for a slot, as far as is known. Nothing is asked before the first {@link #owner}, so that a worker can
 * be started during an outage. Thread-safe.
 */
interface Topology extends AutoCloseable {
    /**
     * The node to talk to. Asks around if it is not known.
     *
     * @throws redis.clients.jedis.exceptions.JedisException if nobody can tell
     */
    HostAndPort owner(int slot);

    /** This node failed or refused: the next {@link #owner} must not rely on what was known. */
    void doubt(HostAndPort node);

    /** The node that was asked says that another one owns the slot now. */
    void moved(int slot, HostAndPort to);

    @Override
    void close();
}
